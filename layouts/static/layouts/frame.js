// Runs in the frame of a layout: writes the HTML of the question into the empty page, provides Amazon's crowd elements,
// and reports the values of the form to Accord's page. The frame has an opaque origin, so messages are the only
// connection between the two pages.

import { listenToSteps } from "../js/annotate/steps.js";

(() => {
  const ORDINARY = ["submit", "button", "reset", "image", "file", "password"];
  const OF_HOST = ["assignmentId", "hitId", "workerId", "turkSubmitTo"];
  const INVALID = "input:invalid, select:invalid, textarea:invalid";
  const BUTTONS = '[type="submit"], [type="image"]';
  const TALLEST = 8000; // px, because a page whose height depends on its window could grow forever
  // Any rule of the layout overrides those in :where, which have no weight.
  const STYLE = `
    html { color-scheme: light; background: #fff; color: #1b1f27; font: 16px/1.5 system-ui, sans-serif; }
    body { margin: 1rem; overflow-wrap: anywhere; }
    img, video, iframe { max-width: 100%; }
    :where(button, input, select, textarea) { font: inherit; max-width: 100%; }
    :where(textarea, select, input:not([type=radio], [type=checkbox])) { box-sizing: border-box; }
    :where([type=radio], [type=checkbox]) { width: 1.25rem; height: 1.25rem; vertical-align: -.25rem; }
    @media (pointer: coarse) {
      :where(button, select, textarea, input:not([type=radio], [type=checkbox])) { min-height: 44px; }
      :where(button, [type=submit], [type=button]) { min-width: 44px; padding: .5rem 1rem; }
      :where(label:has([type=radio], [type=checkbox])) { display: inline-block; padding-block: 10px; }
    }
    fieldset.crowd { border: 0; margin: 1rem 0; padding: 0; }
    fieldset.crowd > legend { font-weight: 600; padding: 0; }
    label.crowd { display: block; margin: .5rem 0; min-height: 1.5rem; }
    label.crowd > input:not([type=radio], [type=checkbox], [type=range]), label.crowd > textarea {
      box-sizing: border-box; display: block; font: inherit; margin-top: .25rem; padding: .5rem; width: 100%;
    }
    crowd-instructions, crowd-alert, crowd-card, crowd-tab, [role=alert].crowd { display: block; margin: 1rem 0; }
    [role=alert].crowd { border: 2px solid #b3261e; border-radius: 4px; padding: .5rem; }
    button.crowd { font: inherit; margin: .5rem .5rem .5rem 0; min-height: 44px; padding: .5rem 1rem; }`;

  // Without a sandbox, a page of another site could run its HTML with the origin of Accord.
  if (window.parent === window || window.origin !== "null") return;
  const page = window.parent;
  let port = null;
  let known = new Map(); // the fields of the layout by name
  let height = 0;
  let loaded = false; // before that, the form has no fields
  let keys = { single: true, everywhere: false }; // the annotator's choices
  let scripts = false; // whether the layout has scripts of its own
  window.addEventListener("message", start);
  page.postMessage({ type: "ready" }, "*");

  function start({ source, data, ports }) {
    if (source !== page || data?.type !== "start" || port) return;
    [port] = ports;
    port.onmessage = ({ data: message }) => heard(message);
    known = new Map(data.fields.map((field) => [field.name, field]));
    scripts = data.scripts;
    keys = data.keys;
    // After `document.open`, the page has no listeners, but the closures and the port still work.
    document.open();
    document.addEventListener("DOMContentLoaded", () => begin(data));
    document.write(`<!doctype html><meta name="viewport" content="width=device-width"><style>${STYLE}</style>`);
    document.write(data.html);
    document.close();
  }

  function begin({ value, disabled, language, direction }) {
    document.documentElement.lang ||= language;
    if (direction && direction !== "auto") document.documentElement.dir = direction;
    else document.documentElement.dir ||= "auto"; // the first letters of the form decide
    for (const [name, element] of Object.entries(crowdElements())) customElements.define(name, element);
    document.dispatchEvent(new Event("all-crowd-elements-ready"));
    if (value) show(value);
    if (disabled) for (const field of fields()) field.disabled = true;
    window.addEventListener("input", changed);
    window.addEventListener("change", changed);
    window.addEventListener("click", stay);
    window.addEventListener("keydown", pressed);
    listenToSteps({ single: () => keys.single, everywhere: () => keys.everywhere, beyond: leave });
    window.addEventListener("submit", (event) => {
      if (!event.defaultPrevented) submitted();
      event.preventDefault();
    });
    HTMLFormElement.prototype.submit = submitted;
    window.alert = warn; // a sandbox shows no dialogs
    new ResizeObserver(measure).observe(document.documentElement);
    new ResizeObserver(measure).observe(document.body);
    measure();
    loaded = true;
    tell("loaded");
  }

  function heard(message) {
    keys = message.keys ?? keys;
    if (!loaded) port.postMessage({ type: "loading" });
    else if (message.type === "ping") tell("pong");
    else if (message.type === "set") {
      show(message.value);
      tell("shown");
    } else if (message.type === "submit") submit();
  }

  // Scripts often set hidden fields in a listener of the same event, which can run after this one.
  function changed() {
    setTimeout(() => tell("changed"));
  }

  function submit() {
    const missing = /** @type {HTMLInputElement | null} */ (document.querySelector(INVALID));
    if (missing) missing.reportValidity();
    else document.forms[0]?.requestSubmit();
  }

  // In a form without a button, browsers submit only from a single text field.
  function pressed(event) {
    const { key, target, defaultPrevented, isComposing } = event;
    if (key !== "Enter" || defaultPrevented || isComposing || !target.matches?.("input")) return;
    if (target.form?.querySelector(`${BUTTONS}, button:not([type])`)) return;
    event.preventDefault();
    submit();
  }

  function leave(by) {
    port.postMessage({ type: "leave", by });
  }

  function submitted() {
    tell("submitted");
  }

  function tell(type) {
    port.postMessage({ type, fields: values(), valid: valid(), submits: submits() });
  }

  // Whether the annotator sees a button that submits the form. In a form with scripts, a button without a type can have
  // any other purpose.
  function submits() {
    const found = [...document.querySelectorAll(scripts ? BUTTONS : `${BUTTONS}, button:not([type])`)];
    return found.some((button) => /** @type {HTMLInputElement} */ (button).form && button.checkVisibility());
  }

  // The frame must not leave the question, so Accord's page opens the link in a new tab if the study allows the link's
  // host. Links to a part of the same page work in the frame.
  function stay(event) {
    const link = event.target.closest?.("a[href]");
    const href = link?.getAttribute("href") ?? "";
    if (link && (href === "#" || !href.startsWith("#"))) event.preventDefault();
    if (/^https:/.test(link?.href)) port.postMessage({ type: "link", href: link.href });
    changed(); // the click may have been on a button that sets a hidden field
  }

  function warn(text) {
    document.querySelector("[role=alert].crowd")?.remove();
    const message = make("p", { role: "alert", class: "crowd" }, String(text));
    document.body.prepend(message);
    message.scrollIntoView({ block: "nearest" });
  }

  function measure() {
    const { body, documentElement } = document;
    const needed = Math.max(documentElement.offsetHeight, body.offsetTop + body.scrollHeight + 16);
    if (Math.abs(needed - height) < 2 || needed > TALLEST) return;
    height = needed;
    port.postMessage({ type: "height", height });
  }

  // ── values ───────────────────────────────────────────────────────────────────────────────────────────────────
  function fields() {
    const named = /** @type {any[]} */ ([...document.querySelectorAll("input[name], select[name], textarea[name]")]);
    return named.filter(({ name, type }) => name && !ORDINARY.includes(type) && !OF_HOST.includes(name));
  }

  function valid() {
    return !document.querySelector(INVALID);
  }

  function values() {
    const found = {};
    for (const field of fields()) {
      const { name, type, value } = field;
      if (field.matches(":disabled")) continue; // forms do not submit disabled fields
      if (type === "radio") found[name] = field.checked ? value : (found[name] ?? "");
      else if (type === "checkbox" && known.get(name)?.kind === "flag") found[name] = field.checked;
      else if (type === "checkbox") found[name] = [...(found[name] ?? []), ...(field.checked ? [value] : [])];
      else if (type === "select-multiple") found[name] = [...field.selectedOptions].map((option) => option.value);
      else found[name] = value;
    }
    return found;
  }

  function show(value) {
    const given = value.fields;
    for (const field of fields()) {
      const own = given[field.name];
      if (own === undefined) continue;
      const all = Array.isArray(own) ? own : [String(own ?? "")];
      if (field.type === "radio") field.checked = own === field.value;
      else if (field.type === "checkbox") field.checked = own === true || (own !== false && all.includes(field.value));
      else if (field.type === "select-multiple")
        for (const option of field.options) option.selected = all.includes(option.value);
      else field.value = all.join("|");
      field.dispatchEvent(new Event("crowd-shown"));
    }
  }

  // ── crowd elements: each contains ordinary fields, so that they work with keys and screen readers ────────────────
  function crowdElements() {
    const defined = { "crowd-form": form, "crowd-button": button, "crowd-input": input, "crowd-text-area": textArea };
    // The group builds its radio buttons.
    const choices = {
      "crowd-radio-button": () => {},
      "crowd-radio-group": radioGroup,
      "crowd-checkbox": checkbox,
      "crowd-classifier": classifier,
    };
    const builders = { ...defined, ...choices, "crowd-slider": slider };
    return Object.fromEntries(
      Object.entries(builders).map(([name, build]) => [
        name,
        class extends HTMLElement {
          connectedCallback() {
            if (this.built) return;
            this.built = true;
            build(this);
          }
          // Scripts of layouts read and set these properties of Amazon's elements.
          get field() {
            return /** @type {any} */ (this.querySelector("input, textarea"));
          }
          get checked() {
            return this.field.checked;
          }
          set checked(checked) {
            this.field.checked = checked;
          }
          get value() {
            return this.field.type === "radio" ? (this.getAttribute("value") ?? "on") : this.field.value;
          }
          set value(value) {
            this.field.value = value;
          }
        },
      ]),
    );
  }

  function make(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) if (value !== null) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // The attributes that a crowd element passes on to the field that it contains.
  function copied(element, ...names) {
    const kept = [...names, "required", "disabled", "placeholder", "autofocus"];
    return Object.fromEntries(
      kept
        .filter((name) => element.hasAttribute(name) && element.getAttribute(name) !== "false")
        .map((name) => [name.replace("max-length", "maxlength"), element.getAttribute(name)]),
    );
  }

  function form(element) {
    element.append(make("form", {}, ...element.childNodes));
  }

  function button(element) {
    const type = { submit: "submit", reset: "reset" }[element.getAttribute("form-action")] ?? "button";
    element.append(make("button", { class: "crowd", type, ...copied(element) }, ...element.childNodes));
  }

  function input(element) {
    const type = element.getAttribute("type") ?? "text";
    const field = make("input", { type, ...copied(element, "name", "value", "min", "max", "step", "max-length") });
    element.append(make("label", { class: "crowd" }, element.getAttribute("label") ?? "", field));
  }

  function textArea(element) {
    const field = make("textarea", {
      rows: element.getAttribute("rows") ?? "4",
      ...copied(element, "name", "max-length"),
    });
    field.value = field.defaultValue = element.getAttribute("value") ?? "";
    element.append(make("label", { class: "crowd" }, element.getAttribute("label") ?? "", field));
  }

  function checkbox(element) {
    const field = make("input", { type: "checkbox", ...copied(element, "name", "checked") });
    element.append(make("label", { class: "crowd" }, field, " ", ...element.childNodes));
  }

  function slider(element) {
    const given = { min: "0", max: "100", ...copied(element, "name", "min", "max", "step", "value") };
    // Without a value, the browser would choose the middle of 0 to 100, even if the range ends at 10.
    const field = make("input", { type: "range", ...{ ...given, value: given.value ?? given.min } });
    const output = make("output", {});
    const say = () => {
      output.textContent = field.value;
    };
    field.addEventListener("input", say);
    field.addEventListener("crowd-shown", say);
    say();
    element.append(make("label", { class: "crowd" }, element.getAttribute("label") ?? "", field, " ", output));
  }

  // The rule for names and values is the same as in accord_core/layouts/formats/form.py.
  function radioGroup(element) {
    const buttons = [...element.querySelectorAll("crowd-radio-button")];
    const own = element.getAttribute("name") ?? "";
    const names = buttons.map((each) => each.getAttribute("name") || own);
    const different = [...new Set(names.filter(Boolean))];
    const name = different.length === 1 ? different[0] : own || different.join("/");
    element.setAttribute("role", "radiogroup");
    for (const [place, each] of buttons.entries()) {
      const value = different.length === 1 ? each.getAttribute("value") || "on" : names[place];
      const required = element.hasAttribute("required") ? "" : null;
      const field = make("input", { type: "radio", ...copied(each, "checked"), name, value, required });
      each.append(make("label", { class: "crowd" }, field, " ", ...each.childNodes));
    }
  }

  function classifier(element) {
    const parts = { header: element.getAttribute("header") ?? "", target: [], short: [], full: [] };
    for (const [part, tag] of [
      ["target", "classification-target"],
      ["short", "short-instructions"],
      ["full", "full-instructions"],
    ])
      for (const found of element.querySelectorAll(tag)) parts[part].push(...found.childNodes);
    const title = element.querySelector("full-instructions")?.getAttribute("header") ?? "Instructions";
    const group = make("fieldset", { class: "crowd" }, make("legend", {}, parts.header));
    for (const value of known.get(element.getAttribute("name"))?.choices ?? []) {
      const field = make("input", { type: "radio", ...copied(element, "name"), value, required: "" });
      group.append(make("label", { class: "crowd" }, field, ` ${value}`));
    }
    const full = parts.full.length ? [make("details", {}, make("summary", {}, title), ...parts.full)] : [];
    element.replaceChildren(...parts.short, ...full, ...parts.target, group);
  }
})();
