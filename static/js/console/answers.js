// Draws each answer of a list with the task type's module. A picture is drawn when it comes near the visible part of the
// page, because drawings measure their place. Until then, and without a drawing, the page describes the answer in words.
// A link to an answer on another page of the list opens that page.

import { all, one, readStrings } from "../annotate/dom.js";

const NEAR = "600px 0px";

const list = document.getElementById("answers");
const linked = location.hash.match(/^#answer-(\d+)$/)?.[1];
if (list && linked && !document.getElementById(`answer-${linked}`) && !location.search.includes("answer=")) {
  location.replace(`?answer=${linked}#answer-${linked}`); // the answer is on another page of the list
}
const { picture, showQuestion } = list ? await import(list.dataset.module) : {};
if (picture) {
  const strings = readStrings("strings");
  const { language, direction } = list.dataset;
  const answers = JSON.parse(document.getElementById("pictures").textContent);
  const asked = one("[data-question]");
  if (asked) showQuestion?.(asked, { ...Object.values(answers)[0], strings, language, direction });
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) draw(target);
    },
    { rootMargin: NEAR },
  );
  for (const place of all("[data-picture]", list)) observer.observe(place);

  function draw(place) {
    observer.unobserve(place);
    const { content, value } = answers[place.dataset.picture];
    picture(place, { content, value, strings, language, direction });
    place.classList.add("drawn");
  }
}
