/** `broadside completion SHELL`: a small script that asks the command itself, so completion is never out of date. */
import type { Command, Group, Invocation } from '../command.ts';
import { complete } from '../completion.ts';
import { UsageError } from '../errors.ts';
import { profileNames } from './auth.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** The hidden command that the scripts call: what has been typed after it, the word under the cursor last. */
export const COMPLETE_WORD = '__complete';

// Answers come one a line: the word, a tab, what it is. A last line with a colon says what the shell itself should offer.
const scripts: Readonly<Record<Shell, string>> = {
  bash: `# broadside completion for bash. Install: broadside completion bash > ~/.local/share/bash-completion/completions/broadside
_broadside() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" line words=() i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    # Bash splits at "=", the command does not.
    if [[ "\${COMP_WORDS[i]}" == "=" && \${#words[@]} -gt 0 ]]; then
      words[\${#words[@]}-1]+="="
      if ((i < COMP_CWORD)); then ((i++)); words[\${#words[@]}-1]+="\${COMP_WORDS[i]}"; fi
    else
      words+=("\${COMP_WORDS[i]}")
    fi
  done
  [[ "$cur" == "=" ]] && cur=""
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :file) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$cur")) ;;
      :directory) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$cur")) ;;
      :open) compopt -o nospace ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(broadside ${COMPLETE_WORD} -- "\${words[@]}" 2>/dev/null)
}
complete -F _broadside broadside
`,
  zsh: `#compdef broadside
# broadside completion for zsh. Install: broadside completion zsh > "\${fpath[1]}/_broadside"
_broadside() {
  local line word nospace=() described=()
  while IFS= read -r line; do
    case "$line" in
      :file) _files ;;
      :directory) _files -/ ;;
      :open) nospace=(-S '') ;;
      *) word="\${line%%$'\\t'*}"; described+=("\${word//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done < <(broadside ${COMPLETE_WORD} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  ((\${#described})) && _describe -V broadside described "\${nospace[@]}"
}
if [ "\${funcstack[1]}" = "_broadside" ]; then _broadside "$@"; else compdef _broadside broadside; fi
`,
  fish: `# broadside completion for fish. Install: broadside completion fish > ~/.config/fish/completions/broadside.fish
function __broadside_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (broadside ${COMPLETE_WORD} -- $words[2..-1] 2>/dev/null)
    switch $line
      case :file
        __fish_complete_path (commandline -ct)
      case :directory
        __fish_complete_directories (commandline -ct)
      case :open
      case '*'
        echo $line
    end
  end
end
complete -c broadside -f -a '(__broadside_complete)'
`,
};

/** `broadside completion`. */
export const completionCommand: Command = {
  kind: 'command',
  words: ['completion'],
  summary: 'Print a completion script for a shell',
  description:
    'Commands, flags, values and profiles are completed, and ids of what the account has: those are asked of the server, which must answer within a second. The first line of the script says how to install it.',
  positionals: [{ name: 'shell', description: `One of ${SHELLS.join(', ')}.`, required: true, values: SHELLS }],
  sections: [],
  examples: [{ line: 'source <(broadside completion bash)' }],
  run: async ({ io, words }) => {
    const shell = SHELLS.find((name) => name === words[0]);
    if (!shell)
      throw new UsageError(`"${words[0] ?? ''}" is not a shell that is known here; there are ${SHELLS.join(', ')}`);
    await io.stdout.write(scripts[shell]);
  },
};

/** Answers the scripts. */
export function completeCommand(tree: () => Group): Command {
  return {
    kind: 'command',
    words: [COMPLETE_WORD],
    summary: 'Answer a completion script',
    hidden: true,
    positionals: [{ name: 'word', description: 'What has been typed.', required: false, rest: true }],
    sections: [],
    run: async ({ io, words }: Invocation) => {
      const lines = await complete(tree(), words, {
        profiles: () => profileNames(io.env),
        ids: async (command, typed, parameter) => {
          const { idsFor } = await import('../completion-ids.ts');
          return idsFor(io, command, typed, parameter);
        },
      });
      if (lines.length > 0) await io.stdout.write(lines.map((line) => `${line}\n`).join(''));
    },
  };
}
