// What a page that is a file holds: packed arrays and texts, inside it or in files beside it, read when they are wanted.

const TYPES = {
  u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, i32: Int32Array, f32: Float32Array, f64: Float64Array,
};

/** Bytes out of base64. */
function decoded(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place += 1) bytes[place] = letters.charCodeAt(place);
  return bytes;
}

/** Bytes as they were before gzip. */
async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** The base64 of a blob inside the page. */
function inside(id) {
  const element = document.getElementById(`blob:${id}`);
  if (element === null) throw new Error("A part of this page is missing: it was not saved whole.");
  const text = element.textContent;
  // It is kept inflated from here on.
  element.remove();
  return text;
}

/** The base64 of a blob in a file beside the page: a script that hands it over, which works from a disk, too. */
function beside(base, id) {
  return new Promise((resolve, reject) => {
    const waiting = (globalThis.assayBlobs ??= new Map());
    globalThis.assayBlob ??= (name, text) => waiting.get(name)?.(text);
    waiting.set(id, resolve);
    const element = document.createElement("script");
    element.src = `${base}${id}.js`;
    element.onerror = () => reject(new Error(`A file of this page cannot be read: ${base}${id}.js lies beside it.`));
    element.onload = () => element.remove();
    document.head.append(element);
  });
}

/** The blobs of a manifest: `arrays(name)` and `json(name)` are promises; what is not there is nothing, or null. */
export function openBlobs(manifest, boot) {
  const known = manifest.blobs ?? {};
  const read = new Map();
  const once = (name, work) => {
    if (!read.has(name)) read.set(name, work());
    return read.get(name);
  };
  const content = async ({ id }) => inflated(decoded(boot.base === undefined ? inside(id) : await beside(boot.base, id)));
  return {
    has: (name) => Object.hasOwn(known, name),
    arrays: (name) =>
      once(name, async () => {
        if (!Object.hasOwn(known, name)) return {};
        const buffer = await content(known[name]);
        const found = Object.create(null);
        for (const [array, { type, at, length }] of Object.entries(known[name].arrays)) {
          found[array] = new TYPES[type](buffer, at, length);
        }
        return found;
      }),
    json: (name) =>
      once(name, async () =>
        Object.hasOwn(known, name) ? JSON.parse(new TextDecoder().decode(await content(known[name]))) : null,
      ),
  };
}
