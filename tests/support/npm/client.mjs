// The official TypeScript client: signs in, lists the tools and calls each with the arguments given as JSON.
// It writes the address at which a person has to agree, and at the end one line of JSON with what came out.
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [address, examples] = [new URL(process.env.TOOLS_URL), JSON.parse(process.env.TOOLS_EXAMPLES)];
const kept = {};
let receive;
const code = new Promise((resolve) => (receive = resolve));
const listener = createServer((request, response) => {
  receive(new URL(request.url, "http://127.0.0.1").searchParams.get("code"));
  response.end("done");
});
await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
const redirect = `http://127.0.0.1:${listener.address().port}/callback`;
const provider = {
  redirectUrl: redirect,
  clientMetadata: {
    client_name: "TypeScript client",
    redirect_uris: [redirect],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
  redirectToAuthorization: (url) => console.log(url.href),
};
const open = () => new StreamableHTTPClientTransport(address, { authProvider: provider });
let client = new Client({ name: "test", version: "1" });
const first = open();
try {
  await client.connect(first);
} catch (error) {
  if (!(error instanceof UnauthorizedError)) throw error;
  await first.finishAuth(await code);
  client = new Client({ name: "test", version: "1" });
  await client.connect(open());
}
const { tools } = await client.listTools();
const failed = {};
for (const { name } of tools) {
  const result = await client.callTool({ name, arguments: examples[name] ?? {} });
  if (result.isError) failed[name] = result.content[0].text;
}
console.log(JSON.stringify({ tools: tools.map(({ name }) => name), failed }));
await client.close();
listener.close();
