// A row of buttons with one tab stop. Arrow keys move the focus. Inactive buttons stay in the row.

import { h, icon, put } from "../js/annotate/dom.js";
import { capOf, shortcut } from "../js/annotate/keymap.js";

// groups: [{label, tools: [{name, text, does: "choice" | "switch" | "press", run, sign}]}]; sign: the icon, if its name is
// not that of the tool
export function createToolbar(label, groups) {
  const tools = groups.flatMap((group) => group.tools.map((tool) => ({ ...tool, ...button(tool) })));
  const parts = groups.map((group) => {
    const choice = group.tools[0].does === "choice";
    const attributes = choice ? { class: "seg", role: "radiogroup", "aria-label": group.label } : { class: "group" };
    return h(
      "div",
      attributes,
      group.tools.map(({ name }) => tools.find((tool) => tool.name === name).element),
    );
  });
  const element = h("div", { class: "bar", role: "toolbar", "aria-label": label, onkeydown: walk }, parts);
  rove(tools[0].element);

  function button({ name, text, does, run, sign = name }) {
    const cap = h("kbd", { "aria-hidden": "true" });
    const role = does === "choice" ? "radio" : null;
    const attributes = {
      class: `b does-${does} tool-${sign}`,
      type: "button",
      title: text,
      role,
      onclick: (event) => pressed(event, run),
    };
    return {
      cap,
      element: h("button", attributes, icon(sign), h("span", { class: does === "choice" ? null : "t" }, text), cap),
    };
  }

  function pressed({ currentTarget }, run) {
    rove(currentTarget);
    if (currentTarget.getAttribute("aria-disabled") !== "true") run("button");
  }

  function rove(element) {
    for (const tool of tools) tool.element.tabIndex = tool.element === element ? 0 : -1;
  }

  function walk(event) {
    const here = tools.filter(({ element: each }) => each.offsetParent); // not those that a narrow page leaves out
    const at = here.findIndex(({ element: each }) => each === event.target);
    const forward = getComputedStyle(element).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: here.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = here[(to + here.length) % here.length].element;
    rove(next);
    next.focus();
  }

  // of(name): {on, off, hidden, key}
  return {
    element,
    render(of) {
      for (const { name, does, element: each, cap } of tools) {
        const { on = false, off = false, hidden = false, key } = of(name);
        put(each, "hidden", hidden);
        put(each, "ariaDisabled", String(off));
        if (does !== "press") put(each, does === "choice" ? "ariaChecked" : "ariaPressed", String(on));
        if (key) put(each, "ariaKeyShortcuts", shortcut(key));
        put(cap, "textContent", key ? capOf(key) : "");
        put(cap, "hidden", !key);
      }
      for (const part of parts) {
        const isEmpty = [...part.children].every((each) => each.hidden);
        put(part, "hidden", isEmpty);
      }
    },
  };
}
