const form = /^([a-z]+)\/([A-Za-z0-9]+)$/;

/** Returns whether a text can name an audience: `<environment>/<id>`. */
export function isAudienceName(name: string): boolean {
  return form.test(name);
}

/** Returns the name of the directory of an audience's data. */
export function directoryOf(name: string): string {
  return name.replace('/', '-');
}

/** Returns the name of the audience whose data are in a directory. */
export function nameOfDirectory(directory: string): string {
  return directory.replace('-', '/');
}
