// Comfort on top of plain forms: every page works without this file.
"use strict";

const find = (selector, root = document) => root.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

// One polite region speaks for the whole table.
const say = (text) => {
  const region = find("#said");
  if (region) region.textContent = text;
};
const warn = (text) => {
  const status = find("#status");
  if (status) {
    status.textContent = text;
    status.classList.add("warns");
  }
  say(text);
};

// Dice: with all of them kept there is nothing to roll.
const dice = () => all(".dice input");
const nothingToRoll = () => dice().length > 0 && dice().every((die) => die.checked);
document.addEventListener("change", (event) => {
  const roll = find("#roll");
  if (!event.target.closest(".dice") || !roll) return;
  roll.setAttribute("aria-disabled", String(nothingToRoll()));
});

// The box that was chosen last: after taking it back the hand is there again.
let lastBox = "";

// Sending: once, and never with nothing to roll. The capture phase comes before htmx.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const refused = form.matches(".rolling") && nothingToRoll();
  if (refused) warn([...find("#roll").children].find((label) => label.getClientRects().length).textContent);
  if (refused || (form.matches("[data-once]") && form.dataset.sent)) {
    event.preventDefault();
    event.stopPropagation();
    return;
  }
  if (form.matches("[data-once]")) form.dataset.sent = "yes";
  if (event.submitter?.name === "box") lastBox = event.submitter.id;
}, true);

// A page from the browser's memory may be older than the game.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  all("[data-sent]").forEach((form) => delete form.dataset.sent);
  if (find("#table")) location.reload();
});

// The bonus bar fills from where it was.
let filled = "";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const still = () => reduced.matches || "motion" in document.documentElement.dataset;
// Of several opponents the one who was chosen stays shown on the card.
let shown = "";
document.addEventListener("htmx:before:swap", (event) => {
  // Not every browser takes an answer that broke off for an error: the table gives way to a whole one only.
  const { response, swap, text } = event.detail.ctx;
  if (swap !== "none" && !text.trimEnd().endsWith("</hx-partial>")) {
    event.preventDefault();
    if (response.status < 400) warn(find("#main").dataset.offline);
    return;
  }
  filled = find("#bar")?.getAttribute("width") ?? "";
  shown = find(".shown input:checked")?.id ?? "";
});
const showAgain = () => {
  const chosen = document.getElementById(shown);
  if (chosen) chosen.checked = true;
};
const fill = () => {
  const bar = find("#bar");
  if (!bar || !filled || still() || bar.getAttribute("width") === filled) return;
  bar.animate([{ width: filled }, { width: bar.getAttribute("width") }], { duration: 400, easing: "ease-out" });
};

// After a swap the focus is where the hand was; where that control is gone, the page says what comes next.
document.addEventListener("htmx:before:request", () => say(""));
document.addEventListener("htmx:after:swap", () => {
  prepare();
  showAgain();
  fill();
  const table = find("#table");
  if (!table || document.activeElement !== document.body) return;
  const wanted = table.dataset.focus;
  const places = [wanted.startsWith("box-") ? lastBox : "", wanted, "roll"].map((id) => document.getElementById(id));
  places.find((place) => place)?.focus({ preventScroll: true });
});
document.addEventListener("htmx:error", () => warn(find("#main").dataset.offline));
document.addEventListener("htmx:response:error", (event) => {
  const status = event.detail.ctx.response.status;
  if (status !== 409 && status !== 422) warn(find("#main").dataset.failed);
});

// Keys: digits keep, R rolls, H asks for a hint, arrows walk, ? shows them all. Enter and Space are the browser's own.
const inField = (element) => element.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
const toggle = (die) => {
  die.click();
  if (document.activeElement === die) return;
  const label = die.nextElementSibling;
  say(find(".name", label).textContent + find(die.checked ? ".kept" : ".free", label).textContent);
};
const centre = (element) => {
  const box = (element.labels?.[0] ?? element).getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const walk = (dx, dy) => {
  const from = document.activeElement;
  // Dice have keys of their own: up from Roll the way leads into the card.
  const card = from.id === "roll" && dy < 0 && find(".column button");
  const places = all(card ? "#roll, .column button" : ".column button, .dice input:not(:disabled), #roll, #undo");
  if (!places.includes(from)) return places[0]?.focus();
  const here = centre(from);
  let best = null;
  let least = Infinity;
  for (const place of places) {
    const there = centre(place);
    const along = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy) + Math.abs((there.y - here.y) * dx);
    // Sideways leads to what stands beside, not to something far above or below.
    if (along > 4 && (dy || aside <= along) && along + 3 * aside < least) {
      least = along + 3 * aside;
      best = place;
    }
  }
  best?.focus();
};
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  const table = find("#table");
  if (!table || inField(event.target) || find("dialog[open]")) return;
  // A key held down acts once.
  if (event.repeat && !(event.key in arrows) && event.key !== "Tab") return event.preventDefault();
  if (event.ctrlKey || event.altKey || event.metaKey || document.body.dataset.shortcuts === "off") return;
  if (event.key in arrows) walk(...arrows[event.key]);
  else if (/^[1-6]$/.test(event.key)) {
    const die = find(`#die-${event.key}`);
    if (die && !die.disabled) toggle(die);
  } else if (event.code === "KeyR" || event.key === "r") find("#roll")?.click();
  else if (event.code === "KeyH" || event.key === "h") find("#hint")?.click();
  else if (event.key === "?") find("#shortcuts")?.showModal();
  else return;
  event.preventDefault();
});

// Copying: the clipboard where it is allowed, else the older way, else the text is selected.
const copied = async (field) => {
  field.focus();
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
};
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    const done = await copied(document.getElementById(button.dataset.copy)).catch(() => false);
    find("#copied").textContent = done ? button.dataset.done : button.dataset.help;
    if (done) button.focus();
  }
  const opener = event.target.closest("[data-open]");
  if (opener) document.getElementById(opener.dataset.open).showModal();
});

// What needs this file shows itself only now.
const prepare = () => all("[data-copy][hidden], [data-open][hidden]").forEach((button) => { button.hidden = false; });
prepare();

// The time to the next daily runs. It is counted from what the server said: a wrong clock in the device changes nothing.
const loaded = Date.now();
const countdowns = all("[data-countdown]");
const two = (number) => String(number).padStart(2, "0");
const tick = () => countdowns.forEach((place) => {
  const left = Math.max(0, Number(place.dataset.countdown) - Math.floor((Date.now() - loaded) / 1000));
  const time = `${Math.floor(left / 3600)}:${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
  place.textContent = left ? place.dataset.live.replace("{time}", time) : place.dataset.done;
});
if (countdowns.length) {
  tick();
  setInterval(tick, 1000);
}
