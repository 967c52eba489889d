var r=e=>e.target;var s=(e,t=document)=>t.querySelectorAll(e);document.addEventListener("click",e=>{let t=r(e).closest("[data-fills]");if(!t)return;let n=document.getElementById(t.dataset.fills),o=n.querySelector("form");o.reset(),o.action=t.dataset.action;for(let c of s("[data-who]",n))c.textContent=t.dataset.who;n.showModal()});
//# sourceMappingURL=dialogs.js.map
