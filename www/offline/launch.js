/**
 * Files that a person opens with the installed app. They come as handles, through `launchQueue`, where the browser has it.
 */

/** @typedef {{ setConsumer: (take: (launch: { files?: readonly FileSystemFileHandle[] }) => void) => void }} LaunchQueue */

/**
 * @param {(files: File[]) => void} onFiles
 * @param {(names: string[]) => void} onUnreadable of files that are no longer there, or may not be read
 */
export function takeLaunches(onFiles, onUnreadable) {
  const queue = /** @type {LaunchQueue | undefined} */ (Reflect.get(globalThis, 'launchQueue'));
  queue?.setConsumer(async ({ files: handles = [] }) => {
    const taken = await Promise.allSettled(handles.map((handle) => handle.getFile()));
    const files = taken.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const unreadable = handles.filter((_, at) => taken[at]?.status === 'rejected');
    if (files.length > 0) onFiles(files);
    if (unreadable.length > 0) onUnreadable(unreadable.map(({ name }) => name));
  });
}
