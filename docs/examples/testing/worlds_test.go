// A world for each test: go get github.com/dghubble/oauth1
package worlds

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dghubble/oauth1"
)

type world struct {
	ID          string `json:"id"`
	Credentials struct {
		ConsumerKey       string `json:"consumer_key"`
		ConsumerSecret    string `json:"consumer_secret"`
		AccessToken       string `json:"access_token"`
		AccessTokenSecret string `json:"access_token_secret"`
		BaseURL           string `json:"ads_sandbox_base_url"`
		AccountID         string `json:"sandbox_account_id"`
	} `json:"credentials"`
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

// control calls the control of the server as its operator.
func control(t *testing.T, method, path string, body any, into any) {
	t.Helper()
	token := os.Getenv("BROADSIDE_OPERATOR_TOKEN")
	if token == "" {
		text, err := os.ReadFile(filepath.Join(setting("BROADSIDE_DATA_DIR", ".data"), "operator.token"))
		check(t, err)
		token = strings.TrimSpace(string(text))
	}
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		check(t, err)
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, setting("BROADSIDE_CONTROL_URL", "http://127.0.0.1:8003")+path, sent)
	check(t, err)
	request.Header.Set("authorization", "Bearer "+token)
	if body != nil {
		request.Header.Set("content-type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	check(t, err)
	read(t, response, into)
}

// read takes the data of an answer.
func read(t *testing.T, response *http.Response, into any) {
	t.Helper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(t, err)
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", response.Status, text)
	}
	check(t, json.Unmarshal(text, &struct {
		Data any `json:"data"`
	}{into}))
}

// newWorld makes a world that is deleted after the test; a run that is cut off leaves it behind for ten minutes.
func newWorld(t *testing.T) (made world) {
	t.Helper()
	control(t, "POST", "/worlds", map[string]any{"from": map[string]any{"demo": true}, "ttl_seconds": 600}, &made)
	t.Cleanup(func() { control(t, "DELETE", "/worlds/"+made.ID, nil, &struct{}{}) })
	return made
}

// get sends a request of the user of a world to its account.
func get(t *testing.T, in world, path string) *http.Response {
	t.Helper()
	of := in.Credentials
	client := oauth1.NewConfig(of.ConsumerKey, of.ConsumerSecret).
		Client(context.Background(), oauth1.NewToken(of.AccessToken, of.AccessTokenSecret))
	response, err := client.Get(of.BaseURL + "/12/accounts/" + of.AccountID + path)
	check(t, err)
	return response
}

// campaigns lists the names of the campaigns of a world.
func campaigns(t *testing.T, in world) (names []string) {
	t.Helper()
	response := get(t, in, "/campaigns")
	var data []struct {
		Name string `json:"name"`
	}
	read(t, response, &data)
	for _, one := range data {
		names = append(names, one.Name)
	}
	return names
}

func TestWorldsAreApart(t *testing.T) {
	one, other := newWorld(t), newWorld(t)
	if one.ID == other.ID || !strings.HasPrefix(one.Credentials.ConsumerKey, one.ID) {
		t.Fatalf("worlds %s and %s", one.ID, other.ID)
	}
	if len(campaigns(t, one)) == 0 || len(campaigns(t, other)) == 0 {
		t.Fatal("the demo has a campaign")
	}
}

func TestAServerFailsOnce(t *testing.T) {
	made := newWorld(t)
	rule := map[string]any{
		"match":  map[string]any{"operation": "campaigns.list"},
		"effect": map[string]any{"status": 503, "retry_after": 7},
		"times":  1,
	}
	control(t, "POST", "/worlds/"+made.ID+"/faults", rule, &struct{}{})
	failed := get(t, made, "/campaigns")
	defer failed.Body.Close()
	if after := failed.Header.Get("retry-after"); failed.StatusCode != http.StatusServiceUnavailable || after != "7" {
		t.Fatalf("%s, to be tried again after %q seconds", failed.Status, after)
	}
	if len(campaigns(t, made)) == 0 {
		t.Fatal("the second try gets through")
	}
}

func TestADayPasses(t *testing.T) {
	made := newWorld(t)
	var clock struct {
		From, Now time.Time
	}
	control(t, "POST", "/worlds/"+made.ID+"/clock/advance", map[string]any{"by": "P1D"}, &clock)
	if passed := clock.Now.Sub(clock.From); passed != 24*time.Hour {
		t.Fatalf("%s have passed", passed)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
