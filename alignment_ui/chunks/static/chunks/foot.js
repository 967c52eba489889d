// The area below the sentences: the missing steps with a button that goes to the first of them, and a button for all
// remaining chunks.

import { form, h, icon } from "../js/annotate/dom.js";
import { capOf } from "../js/annotate/keymap.js";

// act: go(), rest(), confirm(), onward()
export function createFoot({ strings, act }) {
  const says = h("button", { class: "link says", type: "button", onclick: act.go });
  const whole = h("p", { class: "says whole" });
  const said = h("p", { class: "said", role: "status" });
  const cap = () => h("kbd", { "aria-hidden": "true" });
  const caps = { rest: cap(), confirm: cap() };
  const others = h("span");
  const rest = h("button", { class: "b", type: "button", onclick: act.rest }, others, caps.rest);
  const right = h("span");
  const confirm = h("button", { class: "b", type: "button", onclick: act.confirm }, icon("check"), right, caps.confirm);
  const onward = h(
    "button",
    { class: "b b-main", type: "button", onclick: act.onward },
    strings.linkNow,
    icon("forward"),
  );
  const element = h("div", { class: "foot", tabindex: -1 }, says, whole, rest, confirm, onward, said);

  return {
    element,

    // missing: nodes, which are empty if the annotation is complete; done: the message in this case; told: the reason
    // why an action was not possible; rest: the number of chunks without a link or a mark; confirm: {so, answer} if the
    // annotation is complete and must be confirmed
    render({ missing, done, told, keys, rest: loose, confirm: ask, onward: ready }) {
      says.hidden = !missing.length;
      says.replaceChildren(...missing.flat());
      whole.hidden = missing.length > 0;
      whole.replaceChildren(...(missing.length ? [] : ask ? [ask.so] : [icon("check"), " ", done]));
      if (said.textContent !== told) said.textContent = told;
      rest.hidden = !loose;
      if (loose) others.textContent = form(strings.rest, loose);
      for (const [name, kbd] of Object.entries(caps)) kbd.textContent = capOf(keys[name]);
      confirm.hidden = !ask;
      right.textContent = ask?.answer ?? "";
      onward.hidden = !ready;
    },
  };
}
