// The question in the browser. Accord's file static/js/README.md describes all parameters and results of `mount`.

export function mount(root, { content, value, disabled, onChange, strings, language, direction }) {
  let chosen = value;
  const text = Object.assign(document.createElement("p"), { className: "sent", textContent: content.statement });
  text.lang = language;
  text.dir = direction;
  const group = document.createElement("div");
  group.className = "yourtype";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", content.ask);
  const buttons = [true, false].map((yes) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "b b-big", disabled });
    button.textContent = yes ? strings.yes : strings.no;
    button.addEventListener("click", () => choose(yes));
    group.append(button);
    return { button, yes };
  });
  root.replaceChildren(text, group);
  render();

  function choose(yes) {
    if (disabled) return;
    chosen = { yes };
    render();
    onChange(chosen, yes ? strings.yes : strings.no);
  }

  function render() {
    for (const { button, yes } of buttons) button.setAttribute("aria-pressed", String(chosen?.yes === yes));
  }

  return {
    heading: () => [content.ask],
    setValue(next) {
      chosen = next;
      render();
    },
    key(event) {
      const yes = { y: true, n: false }[event.key.toLowerCase()];
      if (yes === undefined) return false;
      choose(yes);
      return true;
    },
    complete: (next) => typeof next?.yes === "boolean",
    feedback(place, { expected }) {
      const sentence = strings.expected.replace("{answer}", expected.yes ? strings.yes : strings.no);
      place.replaceChildren(Object.assign(document.createElement("p"), { textContent: sentence }));
      return sentence;
    },
    destroy: () => root.replaceChildren(),
  };
}
