// Keys: those of the frame stay, those of a view are forgotten when the page is drawn anew.

const OFF = "assay: single keys are off";
const always = new Map();
const ofView = new Map();
let begun = null;
let forget = 0;

/** Whether the element is one that text is typed into, so that letters are letters. */
function takesText(element) {
  if (!(element instanceof Element)) return false;
  if (element.isContentEditable || element.matches("textarea, select")) return true;
  return element.matches("input") && !/^(checkbox|radio|button|range|file)$/.test(element.type);
}

/** The name of what was pressed: `j`, `Shift+J`, `?`, `ArrowLeft`, `Shift+ArrowLeft`. */
function nameOf(event) {
  const letter = event.key.length === 1;
  const shifted = event.shiftKey && (!letter || /\p{L}/u.test(event.key));
  return (shifted ? "Shift+" : "") + event.key;
}

/** What a press asks for; of two keys in a row (`g o`) the first is remembered for a second. */
function heard(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  // A dialog that is open hears keys by itself, and closes by Escape.
  if (document.querySelector("dialog[open]")) return;
  const name = nameOf(event);
  if (name !== "Escape" && (takesText(event.target) || !keys.listening)) return;
  const whole = begun ? `${begun} ${name}` : name;
  begun = null;
  clearTimeout(forget);
  const work = ofView.get(whole) ?? always.get(whole);
  if (work) {
    // Enter and Space belong to a link or a button that has the focus.
    if (/^(Enter| )$/.test(name) && event.target.closest("a, button, summary, [role=link], [role=button]")) return;
    event.preventDefault();
    work.work(event);
  } else if ([...ofView.keys(), ...always.keys()].some((key) => key.startsWith(`${whole} `))) {
    begun = whole;
    forget = setTimeout(() => (begun = null), 1000);
  }
}

/** What can be pressed, and what it does. */
export const keys = {
  /** Whether single keys are heard; they can be switched off, for those who speak to their computer. */
  get listening() {
    try {
      return localStorage.getItem(OFF) === null;
    } catch {
      return true;
    }
  },

  /** Switch single keys on or off. */
  listen(on) {
    try {
      if (on) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, "1");
    } catch {
      // Where nothing can be kept they stay on.
    }
  },

  /** Do `work` when a key is pressed, until the page is drawn anew; the label stands in the help. */
  on(key, label, work) {
    ofView.set(key, { label, work });
  },

  /** The same for as long as the page is there. */
  always(key, label, work) {
    if (always.size === 0) addEventListener("keydown", heard);
    always.set(key, { label, work });
  },

  /** Forget the keys of the view before. */
  clear() {
    ofView.clear();
  },

  /** Every key with what it does, those of the view first. */
  list() {
    return [...ofView, ...[...always].filter(([key]) => !ofView.has(key))].map(([key, { label }]) => [key, label]);
  },
};
