document.addEventListener("click",a=>{let t=a.target.closest("[data-fills]");if(!t)return;let e=document.getElementById(t.dataset.fills),o=e.querySelector("form");o.reset(),o.action=t.dataset.action;for(let n of e.querySelectorAll("[data-who]"))n.textContent=t.dataset.who;e.showModal()});
//# sourceMappingURL=dialogs.js.map
