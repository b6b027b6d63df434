// Node by node, from a template and from data in the page.
(function () {
  var story = JSON.parse(document.getElementById("data").textContent);
  var list = document.getElementById("list");
  var heading = document.createElement("h1");
  heading.appendChild(document.createTextNode(story.title));
  list.appendChild(heading);
  for (var n = 0; n < story.paragraphs.length; n++) {
    var copy = document.getElementById("paragraph").content.cloneNode(true);
    copy.firstChild.textContent = story.paragraphs[n];
    list.appendChild(copy);
  }
})();
