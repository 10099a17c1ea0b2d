// Any question, asked of the segments that the filter keeps: a form made of its fields, and what runs.

import { append, fill, foreign, h } from "../app/dom.js";
import { commandsOf, shell } from "../app/export.js";
import { head, inTime, linkTo, must } from "../app/parts.js";
import { campaignWords, commandLine, viewOf } from "./results.js";

/** How often jobs are looked at, in milliseconds; and how many are seen that are done. */
const WAIT = 400;
const RECENT = 3;
const RUNNING = ["waiting", "running"];
const SECTIONS = {
  systems: "Systems", overview: "Systems", metrics: "Metrics", people: "People", references: "References",
  studies: "Studies", papers: "Papers", runs: "Runs", other: "Other questions",
};
const GROUPS = {
  metrics: "Metrics", judgements: "Judgements", scores: "Scores of other programs", units: "What is drawn",
  texts: "Which texts", recipes: "How words are cut",
};

/** What a question is found by. */
function nameOf(form) {
  return form.study ?? form.paper ?? form.question;
}

/** How a field begins: as it was left, else as it is by itself. */
function begun(app, field) {
  const given = app.state.options?.[field.name];
  return given === undefined ? field.default : given;
}

/** A value as it stands in a text field. */
function written(value) {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Names that may be typed into a field, if they are known. */
function knownNames(app, field) {
  const { campaign } = app;
  if (field.choices) return field.choices;
  return {
    metrics: campaign.metrics.map((metric) => metric.name),
    metric: campaign.metrics.map((metric) => metric.name),
    kinds: campaign.kinds.map((kind) => kind.name),
    systems: campaign.systems,
    references: campaign.references,
  }[field.type] ?? [];
}

/** The control of a field: {element, read() -> value, or undefined for what is as usual}. */
function control(app, field) {
  const id = `field-${field.name}`;
  const value = begun(app, field);
  const help = field.help ? h("span", { class: "quiet help", id: `${id}-help` }, field.help) : null;
  const about = { "aria-describedby": help ? `${id}-help` : null };
  if (field.type === "bool") {
    const box = h("input", { id, type: "checkbox", checked: value === true, ...about });
    const label = h("label", { class: "check", for: id }, box, h("span", {}, field.label));
    const read = () => (box.checked === (field.default === true) ? undefined : box.checked);
    return { element: h("div", { class: "field" }, label, help), read };
  }
  const label = h("label", { for: id }, field.label, field.needed ? h("span", { class: "quiet" }, " (needed)") : null);
  const usual = written(field.default);
  if (field.choices && !field.many && field.type === "choice") {
    const empty = field.optional || field.needed ? [["", field.needed ? "choose" : "as usual"]] : [];
    const options = [...empty, ...field.choices.map((name) => [name, name])];
    const chosen = h(
      "select",
      { id, ...about },
      options.map(([name, text]) => h("option", { value: name, selected: name === written(value) }, text)),
    );
    const read = () => (chosen.value === usual ? undefined : chosen.value);
    return { element: h("div", { class: "field" }, label, chosen, help), read };
  }
  const isNumber = (field.type === "int" || field.type === "float") && !field.many;
  const names = knownNames(app, field);
  const listed = names.map((name) => h("option", { value: name }));
  const list = names.length ? h("datalist", { id: `${id}-names` }, listed) : null;
  const input = h("input", {
    id,
    type: isNumber ? "number" : "text",
    step: isNumber ? (field.type === "int" ? 1 : "any") : null,
    min: isNumber ? field.least : null,
    max: isNumber ? field.most : null,
    value: written(value),
    placeholder: usual === "" ? (field.metavar ?? (names.slice(0, 3).join(", ") || "as usual")) : usual,
    list: list ? `${id}-names` : null,
    required: field.needed,
    autocomplete: "off",
    spellcheck: "false",
    ...about,
  });
  const read = () => {
    const text = input.value.trim();
    if (text === usual || (text === "" && !field.needed)) return undefined;
    return isNumber ? Number(text) : text;
  };
  return { element: h("div", { class: "field" }, label, input, list, help), read };
}

/** The name of the slice that the filter is, so that its runs are found again. */
async function sliceOf(app) {
  const wanted = JSON.stringify(app.state.filter);
  const kept = await app.source.slices.list();
  const { index } = app.campaign;
  return kept.find((one) => (one.campaign ?? index) === index && JSON.stringify(one.filter) === wanted)?.name;
}

/** A field that was filled in, as one types it. */
function typedWords(field, value) {
  if (value === undefined) return [];
  if (value === true) return [field.flag];
  return value === false ? [field.flag.replace(/^--/, "--no-")] : [field.flag, String(value)];
}

/** The form of one question. */
function formElement(app, form) {
  const controls = form.fields.map((field) => [field, control(app, field)]);
  const options = () => {
    const all = controls.map(([field, { read }]) => [field.name, read()]);
    return Object.fromEntries(all.filter(([, value]) => value !== undefined));
  };
  const keep = () => app.note({ options: options() });
  const inGroup = (wanted) => controls.filter(([field]) => field.group === wanted).map(([, { element }]) => element);
  const groups = [...new Set(form.fields.map((field) => field.group))].filter(Boolean);
  const wrong = h("p", { class: "error", role: "alert", hidden: true });
  const command = h("div", { class: "typed" });
  const reason = form.unanswered?.[app.campaign.index];
  const spell = () => {
    const named = form.study || form.paper ? { [form.command]: nameOf(form) } : {};
    const given = commandsOf(app, form.command, named);
    const chosen = options();
    const words = form.fields.flatMap((field) => typedWords(field, chosen[field.name]));
    const line = [given.command, ...words.map(shell)].join(" ");
    fill(command, commandLine(line), given.said ? h("p", { class: "quiet" }, given.said) : null);
  };
  const send = async (event) => {
    event.preventDefault();
    wrong.hidden = true;
    try {
      const slice = await sliceOf(app);
      await app.source.ask({
        campaign: app.campaign.index,
        question: form.question,
        options: options(),
        filter: app.state.filter,
        ...(form.study && { study: form.study }),
        ...(form.paper && { paper: form.paper }),
        ...(slice && { slice }),
      });
      app.draw();
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  };
  const attributes = { id: "run-question", type: "submit", class: "button main", disabled: Boolean(reason) };
  const button = h("button", attributes, "Ask");
  const element = h(
    "form",
    { class: "question", onsubmit: send, oninput: () => { keep(); spell(); }, autocomplete: "off" },
    h("h2", { id: "question-title" }, form.title),
    form.source ? h("p", { class: "quiet" }, form.source) : null,
    form.help ? h("p", {}, form.help) : null,
    h("div", { class: "fields" }, inGroup("")),
    groups.map((name) => {
      const isOpen = form.fields.some((field) => field.group === name && app.state.options?.[field.name] !== undefined);
      return h(
        "details",
        { class: "fold", open: isOpen },
        h("summary", { id: `group-${name}` }, GROUPS[name] ?? name),
        h("div", { class: "fields" }, inGroup(name)),
      );
    }),
    reason ? h("p", { class: "quiet" }, `This campaign cannot answer it: ${reason}`) : null,
    h("div", { class: "row" }, button),
    wrong,
    command,
  );
  spell();
  return element;
}

/** A job as a card: how far it is, and what can be done with it. */
function jobCard(app, job, forms) {
  const form = forms.find((one) => nameOf(one) === job.question);
  const isOpen = RUNNING.includes(job.state);
  const said = {
    waiting: job.waiting ? `Waits for ${job.waiting} before it` : "Waits",
    running: job.said || "Runs",
    done: "Done",
    failed: job.error,
    cancelled: "Cancelled",
  }[job.state];
  const cancel = async () => {
    await app.source.cancel(job.id);
    app.draw();
  };
  const command = job.command?.includes(" ") ? h("code", { class: "quiet" }, job.command) : null;
  const share = job.state === "running" && job.share > 0 ? job.share : null;
  const stop = { id: `cancel-${job.id}`, type: "button", class: "button small", onclick: cancel };
  const answer = { view: viewOf(form?.section), result: job.result, part: null, options: null };
  const link = job.result ? linkTo(app, answer, "Open the answer") : null;
  if (link) link.id = `open-${job.id}`;
  return h(
    "li",
    { class: `job ${job.state}`, id: job.id },
    h("div", { class: "job-name" }, foreign(job.title, "strong"), command),
    isOpen ? h("progress", { max: 1, value: share, "aria-label": job.title }) : null,
    foreign(said ?? "", "p", { class: job.state === "failed" ? "error" : "quiet" }),
    isOpen ? h("button", stop, "Cancel") : null,
    link,
  );
}

/** Jobs, newest first, looked at again and again while one of them runs. */
function jobsElement(app, forms) {
  const { round } = app;
  const list = h("ul", { class: "jobs" });
  const older = h("ul", { class: "jobs" });
  const folded = h("details", { class: "fold", hidden: true }, h("summary", { id: "earlier-jobs" }, "Earlier"), older);
  const place = h("section", {}, h("h2", {}, "What was asked"), list, folded);
  const status = h("p", { class: "hidden", role: "status" });
  const element = h("div", { hidden: true }, place, status);
  let before = new Map();
  const look = async () => {
    if (!app.isCurrent(round)) return;
    // What the first pages ask by themselves is nobody's question once it is answered.
    const jobs = (await app.source.jobs()).reverse().filter((job) => !job.usual || RUNNING.includes(job.state));
    if (!app.isCurrent(round)) return;
    const held = place.contains(document.activeElement) ? document.activeElement.id : null;
    const recent = jobs.filter((job, number) => number < RECENT || RUNNING.includes(job.state));
    const earlier = jobs.filter((job) => !recent.includes(job));
    fill(list, recent.map((job) => jobCard(app, job, forms)));
    fill(older, earlier.map((job) => jobCard(app, job, forms)));
    folded.hidden = earlier.length === 0;
    if (held) (document.getElementById(held) ?? document.getElementById(held.replace("cancel-", "open-")))?.focus();
    element.hidden = jobs.length === 0;
    for (const job of jobs) {
      const was = before.get(job.id);
      if (was && was !== job.state && !RUNNING.includes(job.state)) status.textContent = `${job.title}: ${job.state}`;
    }
    before = new Map(jobs.map((job) => [job.id, job.state]));
    if (jobs.some((job) => RUNNING.includes(job.state))) setTimeout(() => inTime(app, place, look), WAIT);
  };
  return { element, look };
}

/** The questions that there are, by the part of the page that their answers belong to. */
function chooser(app, forms, chosen) {
  const sections = [...new Set(Object.values(SECTIONS))];
  const titleOf = (form) => SECTIONS[form.section] ?? SECTIONS.other;
  return h(
    "nav",
    { class: "questions", "aria-label": "Questions" },
    sections.map((section) => {
      const listed = forms.filter((form) => titleOf(form) === section);
      if (!listed.length) return null;
      return h(
        "details",
        { class: "fold", open: listed.includes(chosen) || section === "Systems" },
        h("summary", { id: `questions-${section}` }, `${section} (${listed.length})`),
        h(
          "ul",
          {},
          listed.map((form) => {
            const isOut = Boolean(form.unanswered?.[app.campaign.index]);
            const link = linkTo(app, { question: nameOf(form), options: null }, form.title);
            link.id = `question-${nameOf(form)}`;
            if (form === chosen) link.setAttribute("aria-current", "true");
            const name = ` ${nameOf(form)}${isOut ? ": not here" : ""}`;
            return h("li", { class: isOut ? "quiet" : null }, link, h("span", { class: "quiet" }, name));
          }),
        ),
      );
    }),
  );
}

/** Where nothing can be asked: what to type. */
function typing(app) {
  const words = campaignWords(app);
  const lines = [
    ["How good is each system?", "score", {}],
    ["Is A really better than B?", "compare", {}],
    ...app.campaign.kinds.slice(0, 1).flatMap(({ name: kind }) => [
      ["Can I trust the metric?", "meta", { kind }],
      ["Can I trust the judges?", "agreement", { kind }],
    ]),
    ["What is in this campaign?", "describe", {}],
    ["How much do the references decide?", "study", { study: "references" }],
  ];
  const about =
    "This page is a file: it computes scores, differences and intervals by itself. In the explorer every question of " +
    "Assay has a form, p-values follow the filter, and files are added:";
  return h(
    "div",
    { class: "typing" },
    h("p", {}, about),
    commandLine(`assay explore ${words}`),
    h("p", {}, "Or on the command line, of the segments that are shown here:"),
    lines.map(([title, question, options]) => {
      const given = commandsOf(app, question, options);
      const said = given.said ? h("p", { class: "quiet" }, given.said) : null;
      return [h("h2", {}, title), commandLine(given.command), said];
    }),
  );
}

export const ask = {
  id: "ask",
  title: "Ask",
  offered: (app) => app.campaign !== null,
  async show(app, place) {
    if (!app.source.can.ask) {
      append(place, [head(app, { title: "Ask" }), typing(app)]);
      return;
    }
    const forms = app.manifest.questions ?? must({ error: "The server has not said which questions there are." });
    const chosen = forms.find((form) => nameOf(form) === app.state.question) ?? null;
    const jobs = jobsElement(app, forms);
    const form = chosen ? formElement(app, chosen) : h("p", { class: "quiet" }, "Choose a question.");
    append(place, [
      head(app, { title: "Ask", said: "Any question, of the segments that the filter keeps." }),
      jobs.element,
      h("div", { class: "side asking" }, chooser(app, forms, chosen), form),
    ]);
    await inTime(app, jobs.element, jobs.look);
  },
};
