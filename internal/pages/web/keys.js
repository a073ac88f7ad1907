// leaveByKeys lets the keyboard leave an editor, which takes Tab for itself: Escape, then Tab or Shift and Tab.
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
