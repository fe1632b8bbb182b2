<?php

// The OAuth extension of PHP, spoken to in JSON lines. foreign-client.ts says what is asked and answered.
declare(strict_types=1);

function client(array $call): OAuth
{
    $oauth = new OAuth(
        $call['consumer_key'],
        $call['consumer_secret'],
        OAUTH_SIG_METHOD_HMACSHA1,
        OAUTH_AUTH_TYPE_AUTHORIZATION,
    );
    if (isset($call['token_secret'])) {
        $oauth->setToken($call['token'], $call['token_secret']);
    }
    return $oauth;
}

function send_signed(array $call): array
{
    $oauth = client($call);
    $headers = isset($call['json']) ? ['Content-Type' => 'application/json'] : [];
    try {
        $oauth->fetch($call['url'], $call['json'] ?? $call['form'] ?? null, $call['method'], $headers);
    } catch (OAuthException $refused) {
        return ['status' => $refused->getCode(), 'body' => $refused->lastResponse ?? $refused->getMessage()];
    }
    return ['status' => $oauth->getLastResponseInfo()['http_code'], 'body' => $oauth->getLastResponse()];
}

// The extension knows OAuth 1.0 alone.
function bearer_token(array $call): array
{
    $basic = base64_encode(rawurlencode($call['consumer_key']) . ':' . rawurlencode($call['consumer_secret']));
    $body = file_get_contents($call['url'], false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "Authorization: Basic $basic\r\nContent-Type: application/x-www-form-urlencoded;charset=UTF-8",
        'content' => 'grant_type=client_credentials',
        'ignore_errors' => true,
    ]]));
    return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
}

function answer(array $call): array
{
    return match ($call['do']) {
        'send' => send_signed($call),
        'request_token' => client($call)->getRequestToken($call['url'], $call['callback']),
        // The extension leaves it to its user to write this address.
        'authorization_url' => ['url' => $call['url'] . '?oauth_token=' . rawurlencode($call['token'])],
        'access_token' => client($call)->getAccessToken($call['url'], '', $call['verifier']),
        'bearer_token' => bearer_token($call),
    };
}

if (!extension_loaded('oauth')) {
    fwrite(STDERR, "the extension oauth is not loaded\n");
    exit(1);
}
echo json_encode(['ready' => 'php-oauth ' . phpversion('oauth')]), "\n";
while (($line = fgets(STDIN)) !== false) {
    try {
        $answer = answer(json_decode($line, true, 512, JSON_THROW_ON_ERROR));
    } catch (Throwable $error) {
        $answer = ['error' => get_class($error) . ': ' . $error->getMessage() . ' ' . ($error->lastResponse ?? '')];
    }
    echo json_encode($answer, JSON_THROW_ON_ERROR), "\n";
}
