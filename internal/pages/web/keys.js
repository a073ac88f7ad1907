// leaveByKeys makes Escape followed by Tab or Shift+Tab leave an editor, in which Tab alone inserts a tab.
export function leaveByKeys(root) {
  let leaving = false;
  const inEditor = (event) => event.target.closest?.('.CodeMirror');
  const hear = (event) => {
    if (event.key === 'Tab' && leaving && inEditor(event)) {
      event.stopImmediatePropagation(); // the browser moves the focus
    }
    leaving = event.key === 'Escape' || (leaving && event.key === 'Shift');
  };
  root.addEventListener('keydown', hear, true);
  root.addEventListener('focusin', (event) => {
    if (inEditor(event)) {
      event.target.setAttribute('aria-description', 'Escape, then Tab leaves the editor');
    }
  });
}
