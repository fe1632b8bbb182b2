# From a CSV file to a line item that targets its people, with the command line.
set -eu
people=${1:-people.csv}
name="Readers $(date -u +%FT%T)"

# Bad rows are reported by line and column; nothing is sent.
broadside custom-audiences upload --dry-run "$people"

audience=$(broadside custom-audiences create --sandbox --name "$name" --quiet)
broadside custom-audiences upload --sandbox --id "$audience" "$people" --wait

criteria="[{\"targeting_type\": \"CUSTOM_AUDIENCE\", \"targeting_value\": \"$audience\"}]"
broadside audience-estimate create --sandbox --data "$criteria"

card=$(broadside funding-instruments list --sandbox --quiet --limit 1)
campaign=$(broadside campaigns create --sandbox --quiet --name 'Summer reading' \
  --funding-instrument-id "$card" --daily-budget-amount-local-micro 55000000)
line_item=$(broadside line-items create --sandbox --quiet --campaign-id "$campaign" --name Readers \
  --objective ENGAGEMENTS --product-type PROMOTED_POSTS --placements PLATFORM_TIMELINE \
  --bid-amount-local-micro 1500000 --start-time 2026-11-01T00:00:00Z --end-time 2036-11-01T00:00:00Z)
broadside targeting-criteria create --sandbox --line-item-id "$line_item" \
  --targeting-type CUSTOM_AUDIENCE --targeting-value "$audience"
