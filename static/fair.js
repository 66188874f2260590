// The checker of /fair, in the page: the same recipe as the server's, done by the browser's own HMAC and SHA-256.
// Where the browser has none (plain http), the links and the form ask the server instead.
"use strict";
(() => {
  const subtle = window.crypto && window.crypto.subtle;
  const place = document.getElementById("checked");
  if (!subtle || !place) return;

  const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

  const faces = async (key, address, count) => {
    const found = [];
    for (let block = 0; found.length < count; block += 1) {
      const text = new TextEncoder().encode(`fairwind/1/${address}/${block}`);
      for (const byte of new Uint8Array(await subtle.sign("HMAC", key, text))) {
        if (byte < 252) found.push(byte % 6 + 1);
      }
    }
    return found.slice(0, count);
  };

  const element = (name, text) => Object.assign(document.createElement(name), {textContent: text});

  const throws = async (key, game) => {
    const list = document.createElement("ol");
    list.className = "throws";
    for (let turn = 1; turn <= game.turns; turn += 1) {
      const row = list.appendChild(document.createElement("li"));
      row.append(element("b", place.dataset.turn.replace("{n}", turn)));
      for (let roll = 1; roll <= game.rolls; roll += 1) {
        const nth = (turn - 1) * game.rolls + roll - 1;
        const address = game.addressing === "continuous" ? `0/c/${nth}` : `0/${turn}/${roll}`;
        const isolated = element("bdi", (await faces(key, address, Number(game.dice))).join(" "));
        isolated.dir = "ltr";
        row.append(" ", isolated);
      }
    }
    return list;
  };

  const check = async (heading, game) => {
    const raw = bytes(game.key);
    const sha = hex(await subtle.digest("SHA-256", raw));
    const said = !game.commitment ? "unknown" : sha === game.commitment ? "fits" : "differs";
    const key = await subtle.importKey("raw", raw, {name: "HMAC", hash: "SHA-256"}, false, ["sign"]);
    const verdict = element("p", place.dataset[said].replace("{sha}", sha));
    verdict.className = said === "differs" ? "verdict costly" : "verdict";
    const dice = await throws(key, game);
    place.replaceChildren(element("h3", heading), verdict, element("p", place.dataset.here), dice);
    document.getElementById("check").scrollIntoView();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.check");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    check(link.querySelector(".hidden").textContent.replace(/^: /, ""), link.dataset);
  });

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.check");
    if (!form) return;
    const clean = (name) => form.elements[name].value.replace(/\s/g, "").toLowerCase();
    const key = clean("key");
    const commitment = clean("commitment");
    // What is no key is left to the server, which says so.
    if (!/^[0-9a-f]{64}$/.test(key) || !/^([0-9a-f]{64})?$/.test(commitment)) return;
    event.preventDefault();
    const chosen = form.elements.ruleset.selectedOptions[0];
    check(chosen.textContent, {...chosen.dataset, key, commitment, addressing: form.elements.addressing.value});
  });
})();
