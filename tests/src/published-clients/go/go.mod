module broadside.test/published-clients

go 1.19

require github.com/dghubble/oauth1 v0.7.3
