// Starts django-allauth's passkey form from data attributes: the content security policy allows no inline script.
(function () {
  "use strict";
  const form = document.querySelector("form[data-passkey]");
  if (!form || !window.PublicKeyCredential) {
    return;
  }
  const button = form.querySelector("#passkey-button");
  const action = form.dataset.passkey;
  document.addEventListener("allauth.error", function (event) {
    event.preventDefault();
    form.querySelector("[data-passkey-error]").hidden = false;
  });
  window.allauth.webauthn.forms[action + "Form"]({
    ids: { [action]: button.id, credential: form.elements.credential.id },
    data: JSON.parse(form.dataset.options),
  });
  form.querySelector("[data-passkey-missing]").hidden = true;
  button.hidden = false;
})();
