# From a picture to a promoted post with a card, with the command line.
set -eu
picture=${1:-picture.png}
user=$(broadside promotable-users list --sandbox --columns user_id | tail -n 1)

# The picture goes into the media library, and a card shows it with a website.
media=$(broadside media-library add "$picture" --sandbox --quiet --name 'Autumn shelf')
card=$(broadside cards create --sandbox --quiet --name 'Autumn shelf' --data "[
  {\"type\": \"MEDIA\", \"media_key\": \"$media\"},
  {\"type\": \"DETAILS\", \"title\": \"40 books for long evenings\",
    \"destination\": {\"type\": \"WEBSITE\", \"url\": \"https://harborbooks.example.com/autumn\"}}
]")

# A draft to look at: the address works in any browser for 24 hours.
text="The autumn shelf is up, $(date -u +%F) at $(date -u +%T)."
draft=$(broadside draft-posts create --sandbox --quiet --as-user-id "$user" --text "$text" --card-uri "card://$card")
broadside posts preview "$draft" --sandbox

# The same as a post, for promotion only, and once more in an hour.
post=$(broadside posts create --sandbox --quiet --as-user-id "$user" --text "$text" --card-uri "card://$card")
later=$(date -u -d '+1 hour' +%FT%H:%M:00Z 2> /dev/null || date -u -v+1H +%FT%H:%M:00Z)
broadside scheduled-posts create --sandbox --as-user-id "$user" --scheduled-at "$later" \
  --text 'Two books are left on the autumn shelf.' --card-uri "card://$card"

# Clicks on the website are what the line item pays for.
funding=$(broadside funding-instruments list --sandbox --quiet --limit 1)
campaign=$(broadside campaigns create --sandbox --quiet --name 'Autumn shelf' \
  --funding-instrument-id "$funding" --daily-budget-amount-local-micro 55000000)
line_item=$(broadside line-items create --sandbox --quiet --campaign-id "$campaign" --name Clicks \
  --objective WEBSITE_CLICKS --product-type PROMOTED_POSTS --placements PLATFORM_TIMELINE \
  --bid-amount-local-micro 1500000 --start-time 2026-11-01T00:00:00Z --end-time 2036-11-01T00:00:00Z)
broadside promoted-posts create --sandbox --line-item-id "$line_item" --post-ids "$post"
