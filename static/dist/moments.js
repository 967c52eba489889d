function o(){return document.documentElement.lang||"en"}function e(){return`${o()}-u-nu-latn`}for(let t of document.querySelectorAll("time[data-moment]")){let n=new Date(t.dateTime);t.textContent=n.toLocaleString(e(),{dateStyle:"long",timeStyle:"short"})}
//# sourceMappingURL=moments.js.map
