// Calls a running Broadside with the client that oapi-codegen wrote: docs/guides/generated-clients.md
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"example.com/campaigns/broadside"
	"github.com/dghubble/oauth1"
)

func main() {
	file := ".data/credentials.json"
	if len(os.Args) > 1 {
		file = os.Args[1]
	}
	var credentials struct {
		ConsumerKey       string `json:"consumer_key"`
		ConsumerSecret    string `json:"consumer_secret"`
		AccessToken       string `json:"access_token"`
		AccessTokenSecret string `json:"access_token_secret"`
		BaseURL           string `json:"ads_sandbox_base_url"`
	}
	text, err := os.ReadFile(file)
	check(err)
	check(json.Unmarshal(text, &credentials))

	ctx := context.Background()
	// The client of oauth1 signs each request that it sends.
	signing := oauth1.NewConfig(credentials.ConsumerKey, credentials.ConsumerSecret).
		Client(ctx, oauth1.NewToken(credentials.AccessToken, credentials.AccessTokenSecret))
	client, err := broadside.NewClientWithResponses(credentials.BaseURL, broadside.WithHTTPClient(signing))
	check(err)

	account, err := client.AccountsCreateWithResponse(ctx)
	check(err)
	accountID := account.JSON200.Data.Id
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	card, err := client.FundingInstrumentsCreateWithResponse(ctx, accountID, broadside.FundingInstrumentsCreateParameters{
		Type:      broadside.FundingInstrumentsCreateParametersTypeCREDITCARD,
		Currency:  "USD",
		StartTime: start,
	})
	check(err)

	var ids []string
	for _, name := range []string{"Spring", "Summer", "Winter"} {
		created, err := client.CampaignsCreateWithResponse(ctx, accountID, broadside.CampaignsCreateParameters{
			Name:                        name,
			FundingInstrumentId:         card.JSON200.Data.Id,
			DailyBudgetAmountLocalMicro: pointer(int64(55_000_000)),
		})
		check(err)
		if created.JSON200 == nil {
			log.Fatal(string(created.Body))
		}
		ids = append(ids, created.JSON200.Data.Id)
	}

	// Pages: the cursor of the next one, until it is null.
	query := broadside.CampaignsListParams{
		Count:  pointer(2),
		SortBy: &[]broadside.CampaignsListParamsSortBy{broadside.CampaignsListParamsSortByNameAsc},
	}
	for {
		page, err := client.CampaignsListWithResponse(ctx, accountID, &query)
		check(err)
		fmt.Println("page:", names(page.JSON200.Data))
		if page.JSON200.NextCursor == nil {
			break
		}
		query.Cursor = page.JSON200.NextCursor
	}

	some := ids[1:]
	chosen, err := client.CampaignsListWithResponse(ctx, accountID, &broadside.CampaignsListParams{
		CampaignIds: &some,
		SortBy: &[]broadside.CampaignsListParamsSortBy{
			broadside.CampaignsListParamsSortByDeletedAsc,
			broadside.CampaignsListParamsSortByNameDesc,
		},
	})
	check(err)
	fmt.Println("chosen:", names(chosen.JSON200.Data))

	rejected, err := client.CampaignsUpdateWithResponse(ctx, accountID, ids[0], broadside.CampaignsUpdateParameters{
		TotalBudgetAmountLocalMicro: pointer(int64(1)),
	})
	check(err)
	for _, one := range rejected.JSON400.Errors {
		code, err := one.Code.AsErrorCode()
		check(err)
		fmt.Println("error:", rejected.StatusCode(), code, *one.Parameter)
	}
}

func names(campaigns []broadside.Campaign) string {
	all := make([]string, len(campaigns))
	for i, campaign := range campaigns {
		all[i] = campaign.Name
	}
	return strings.Join(all, ", ")
}

func pointer[T any](value T) *T { return &value }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
