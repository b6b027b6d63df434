"use strict";
// Passkeys: each [data-passkey] holds a button. What the authenticator answers goes into the field of that name, and the
// form is sent. Without script, and in browsers without passkeys, the buttons stay hidden.

const PARTS = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];

function toBytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

function toText(buffer) {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

async function makePasskey(options) {
  options.challenge = toBytes(options.challenge);
  options.user.id = toBytes(options.user.id);
  for (const known of options.excludeCredentials || []) known.id = toBytes(known.id);
  return navigator.credentials.create({ publicKey: options });
}

async function usePasskey(form) {
  const body = new URLSearchParams({ csrf: form.elements.csrf.value });
  const answer = await fetch("/passkeys/options", { method: "POST", body });
  const options = await answer.json();
  if (!answer.ok) throw new Error(options.error);
  options.challenge = toBytes(options.challenge);
  return navigator.credentials.get({ publicKey: options });
}

function describe(credential) {
  const response = {};
  for (const part of PARTS) if (credential.response[part]) response[part] = toText(credential.response[part]);
  return JSON.stringify({ id: credential.id, rawId: toText(credential.rawId), type: credential.type, response });
}

function explain(error) {
  if (error.name === "NotAllowedError") return "No passkey was used. Try again.";
  if (error.name === "InvalidStateError") return "This device or password manager has a passkey for your account already.";
  return error.message;
}

async function answerWithPasskey(holder) {
  const form = holder.closest("form");
  const field = form.elements[holder.dataset.passkey];
  for (const control of form.elements) if (control !== field && !control.reportValidity()) return;
  const fault = holder.querySelector("[role=alert]");
  fault.textContent = "";
  try {
    const options = holder.dataset.options;
    field.value = describe(await (options ? makePasskey(JSON.parse(options)) : usePasskey(form)));
    form.requestSubmit();
  } catch (error) {
    fault.textContent = explain(error);
  }
}

if (window.PublicKeyCredential) {
  for (const holder of document.querySelectorAll("[data-passkey]")) {
    holder.querySelector("button").addEventListener("click", () => answerWithPasskey(holder));
    holder.hidden = false;
  }
}
