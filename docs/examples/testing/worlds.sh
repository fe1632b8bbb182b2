# A world for one job of CI: calls fail as the rules say, and the journal tells how the program under test behaved.
set -eu
# The world in use is noted here, so that jobs beside this one keep theirs.
XDG_CONFIG_HOME=$(mktemp -d)
export XDG_CONFIG_HOME
world=$(broadside world create --ttl-seconds 600 --quiet)
trap 'broadside world delete "$world" > /dev/null; rm -r "$XDG_CONFIG_HOME"' EXIT
broadside world use "$world"

rule='{"match": {"operation": "campaigns.list"}, "effect": {"status": 503, "retry_after": 1}, "times": 1}'
broadside faults create --data "$rule"
broadside clock set --now 2036-11-01T09:00:00Z --frozen

# The program under test: this command, or any that reads what `broadside env` prints.
broadside campaigns list --sandbox

broadside journal verify - <<'EXPECTATIONS'
[
  { "name": "it tries again after a failure", "operation": "campaigns.list", "times": 2 },
  "no write was rejected"
]
EXPECTATIONS
