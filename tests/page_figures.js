// The figures of one console page at rest, for script/pages. Evaluated in the page; returns numbers only.
() => {
  const main = document.querySelector("#main");
  const shown = (element) =>
    !element.closest(".sr") &&
    !element.matches("details:not([open])") && // its summary and its other children are elements of their own
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const words = (text) => text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length;

  // Lists and tables hold data, fields hold what the researcher has written, and drawings hold axes.
  const APART = "table, [role=table], [role=grid], ul, ol, select, textarea, svg, script, template, .chart";
  let prose = 0;
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const parent = texts.currentNode.parentElement;
    if (!parent.closest(APART) && shown(parent)) prose += words(texts.currentNode.data);
  }

  const helps = [...main.querySelectorAll(".help")].filter(shown).map((help) => words(help.innerText));
  const head = main.querySelector(".con-head");
  const actions = head
    ? [...head.querySelectorAll("a.b, button, summary")].filter((each) => shown(each) && !each.closest(".explain"))
    : [];
  return {
    words: prose,
    help: helps.reduce((sum, each) => sum + each, 0),
    longest: Math.max(0, ...helps),
    actions: actions.length,
    primary: actions.filter((each) => each.matches(".b-main")).length,
    height: Math.round(main.getBoundingClientRect().bottom + scrollY),
  };
}
