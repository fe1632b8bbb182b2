// Drives github.com/dghubble/oauth1, and net/http with it: log-in, lookups, uploads, and the advertising interface.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/dghubble/oauth1"
	"github.com/dghubble/oauth1/twitter"
)

const sandbox = "https://ads-api-sandbox.twitter.com/11/"

// What the test hands over.
type environment struct {
	Credentials struct {
		ConsumerKey       string `json:"consumer_key"`
		ConsumerSecret    string `json:"consumer_secret"`
		AccessToken       string `json:"access_token"`
		AccessTokenSecret string `json:"access_token_secret"`
		AccountID         string `json:"account_id"`
		UserID            string `json:"user_id"`
		CallbackURL       string `json:"callback_url"`
	} `json:"credentials"`
	Posts    []string `json:"posts"`
	Accounts []string `json:"accounts"`
	Media    string   `json:"media"`
}

type object = map[string]any

func emit(line object) {
	text, err := json.Marshal(line)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}

// Runs a function and prints its result, or its error.
func step(name string, run func() (any, error)) {
	value, err := run()
	if err != nil {
		emit(object{"step": name, "error": object{"message": err.Error()}})
		return
	}
	emit(object{"step": name, "value": value})
}

// Sends a request and reads the JSON of its answer.
func call(client *http.Client, method, address string, body io.Reader, contentType string) (object, error) {
	request, err := http.NewRequest(method, address, body)
	if err != nil {
		return nil, err
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	answer := object{}
	if err := decoder.Decode(&answer); err != nil && err != io.EOF {
		return nil, err
	}
	answer["status"] = response.StatusCode
	answer["protocol"] = response.Proto
	return answer, nil
}

func main() {
	var held environment
	if err := json.Unmarshal([]byte(os.Getenv("PUBLISHED_CLIENTS")), &held); err != nil {
		panic(err)
	}
	keys := held.Credentials
	config := oauth1.Config{
		ConsumerKey:    keys.ConsumerKey,
		ConsumerSecret: keys.ConsumerSecret,
		CallbackURL:    keys.CallbackURL,
		Endpoint:       twitter.AuthorizeEndpoint,
	}
	client := config.Client(oauth1.NoContext, oauth1.NewToken(keys.AccessToken, keys.AccessTokenSecret))
	account := sandbox + "accounts/" + held.Accounts[3]
	emit(object{"offers": []string{"Config.Client", "Config.RequestToken", "Config.AuthorizationURL", "Config.AccessToken"}})

	step("Config.RequestToken Config.AuthorizationURL", func() (any, error) {
		token, secret, err := config.RequestToken()
		if err != nil {
			return nil, err
		}
		page, err := config.AuthorizationURL(token)
		if err != nil {
			return nil, err
		}
		response, err := http.Get(page.String())
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		html, err := io.ReadAll(response.Body)
		_, _, denied := config.AccessToken(token, secret, "1234567")
		return object{
			"page":   page.Scheme + "://" + page.Host + page.Path,
			"status": response.StatusCode,
			"asks":   strings.Contains(string(html), "password"),
			"denied": denied != nil,
		}, err
	})
	step("Config.AccessToken", func() (any, error) {
		_, _, err := config.AccessToken("none", "none", "1234567")
		return err != nil, nil
	})
	step("Config.Client", func() (any, error) {
		answer, err := call(client, "GET", "https://api.twitter.com/2/tweets?ids="+held.Posts[0], nil, "")
		if err != nil {
			return nil, err
		}
		post := answer["data"].([]any)[0].(object)
		return object{"id": post["id"], "status": answer["status"], "protocol": answer["protocol"]}, nil
	})
	step("accounts of production", func() (any, error) {
		answer, err := call(client, "GET", "https://ads-api.twitter.com/11/accounts", nil, "")
		if err != nil {
			return nil, err
		}
		return answer["data"].([]any)[0].(object)["id"] == keys.AccountID, nil
	})
	step("a draft", func() (any, error) { return drafts(client, account, keys.UserID) })
	step("a batch", func() (any, error) {
		batch := strings.Replace(account, "/11/accounts/", "/11/batch/accounts/", 1) + "/custom_audiences"
		for _, name := range []string{"Readers", "Poets"} {
			if _, err := call(client, "POST", account+"/custom_audiences?name="+name, nil, ""); err != nil {
				return nil, err
			}
		}
		made, err := call(client, "POST", account+"/custom_audiences?name=Gone", nil, "")
		if err != nil {
			return nil, err
		}
		id := made["data"].(object)["id"].(string)
		body := `[{"operation_type":"Delete","params":{"custom_audience_id":"` + id + `"}}]`
		answer, err := call(client, "POST", batch, strings.NewReader(body), "application/json")
		if err != nil {
			return nil, err
		}
		data, ok := answer["data"].([]any)
		if !ok {
			return answer, nil
		}
		names := []any{}
		for _, each := range data {
			names = append(names, each.(object)["name"])
		}
		return names, nil
	})
	step("pages of a list", func() (any, error) {
		names, cursor := []any{}, ""
		for pages := 0; pages < 5; pages++ {
			query := url.Values{"count": {"1"}, "sort_by": {"name-asc"}}
			if cursor != "" {
				query.Set("cursor", cursor)
			}
			answer, err := call(client, "GET", account+"/custom_audiences?"+query.Encode(), nil, "")
			if err != nil {
				return nil, err
			}
			for _, each := range answer["data"].([]any) {
				names = append(names, each.(object)["name"])
			}
			next, more := answer["next_cursor"].(string)
			if !more {
				break
			}
			cursor = next
		}
		return names, nil
	})
	step("an upload", func() (any, error) {
		picture, err := os.ReadFile(filepath.Join(held.Media, "wide_image"))
		if err != nil {
			return nil, err
		}
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		if err := form.WriteField("media_category", "TweetImage"); err != nil {
			return nil, err
		}
		part, err := form.CreateFormFile("media", "rain.png")
		if err != nil {
			return nil, err
		}
		if _, err := part.Write(picture); err != nil {
			return nil, err
		}
		if err := form.Close(); err != nil {
			return nil, err
		}
		answer, err := call(client, "POST", "https://upload.twitter.com/1.1/media/upload.json", &body, form.FormDataContentType())
		return object{"image": answer["image"], "status": answer["status"]}, err
	})
	step("error of a parameter", func() (any, error) {
		answer, err := call(client, "POST", account+"/draft_tweets?tweet_mode=x", nil, "")
		return answer, err
	})
	step("no other host", func() (any, error) {
		_, err := http.Get("https://example.com/")
		return nil, err
	})
	emit(object{"done": true})
}

// Creates, changes, reads and deletes a draft.
func drafts(client *http.Client, account, user string) (any, error) {
	query := url.Values{"text": {"Not yet"}, "as_user_id": {user}}
	made, err := call(client, "POST", account+"/draft_tweets?"+query.Encode(), nil, "")
	if err != nil {
		return nil, err
	}
	data, ok := made["data"].(object)
	if !ok {
		return made, nil
	}
	address := account + "/draft_tweets/" + data["id"].(string)
	form := strings.NewReader(url.Values{"text": {"Later"}}.Encode())
	changed, err := call(client, "PUT", address, form, "application/x-www-form-urlencoded")
	if err != nil {
		return nil, err
	}
	gone, err := call(client, "DELETE", address, nil, "")
	if err != nil {
		return nil, err
	}
	absent, err := call(client, "GET", address, nil, "")
	return object{
		"changed": changed["data"].(object)["text"],
		"gone":    gone["data"].(object)["id"] == data["id"],
		"status":  absent["status"],
	}, err
}
