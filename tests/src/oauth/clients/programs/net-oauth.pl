# Net::OAuth, spoken to in JSON lines. foreign-client.ts says what is asked and answered.
use strict;
use warnings;

use HTTP::Request;
use HTTP::Request::Common qw(POST);
use JSON::PP;
use LWP::UserAgent;
use Net::OAuth;
use Net::OAuth::Client;
use URI;

my $json = JSON::PP->new->utf8->canonical;
my $agent = LWP::UserAgent->new;

# The query goes in as decoded parameters: the library would sign the bytes of a URL, not its characters.
sub parameters_of {
    my ($url) = @_;
    my @query = URI->new($url)->query_form;
    utf8::decode($_) for @query;
    return @query;
}

sub send_signed {
    my ($call) = @_;
    my ($address) = split /\?/, $call->{url};
    my $form = $call->{form} || {};
    my $signed = Net::OAuth->request('protected resource')->new(
        consumer_key => $call->{consumer_key},
        consumer_secret => $call->{consumer_secret},
        token => $call->{token},
        token_secret => $call->{token_secret},
        request_url => $address,
        request_method => $call->{method},
        signature_method => 'HMAC-SHA1',
        timestamp => time,
        nonce => int(rand(2**53)),
        extra_params => { parameters_of($call->{url}), %$form },
    );
    $signed->sign;
    my $request = HTTP::Request->new($call->{method}, $call->{url});
    $request->header(Authorization => $signed->to_authorization_header);
    if ($call->{form}) {
        my $body = URI->new;
        $body->query_form(map { my $text = $_; utf8::encode($text); $text } %$form);
        $request->content_type('application/x-www-form-urlencoded');
        $request->content($body->query);
    }
    if (defined $call->{json}) {
        my $body = $call->{json};
        utf8::encode($body);
        $request->content_type('application/json');
        $request->content($body);
    }
    my $answer = $agent->request($request);
    my $body = $answer->content;
    utf8::decode($body);
    return { status => $answer->code + 0, body => $body };
}

# Its client sends the protocol parameters in the query.
sub client {
    my ($call, %more) = @_;
    return Net::OAuth::Client->new(
        $call->{consumer_key}, $call->{consumer_secret},
        request_token_method => 'POST', access_token_method => 'POST',
        callback => $call->{callback} // 'oob', debug => 1, %more,
    );
}

# It cuts `oauth_` off the names.
sub token_response {
    my ($answer, @more) = @_;
    return {
        oauth_token => $answer->{token},
        oauth_token_secret => $answer->{token_secret},
        map { $_ => $answer->{$_} } @more,
    };
}

my %answers = (
    send => \&send_signed,
    request_token => sub {
        my ($call) = @_;
        my $answer = client($call, request_token_url => $call->{url})->get_request_token;
        return { %{ token_response($answer) }, oauth_callback_confirmed => $answer->{callback_confirmed} };
    },
    # It adds its callback to this address, which means nothing to a server of OAuth 1.0a.
    authorization_url => sub {
        my ($call) = @_;
        my $client = client($call, authorize_url => $call->{url});
        my $url = $client->authorize_url(token => $call->{token}, token_secret => $call->{token_secret});
        return { url => "$url" };
    },
    access_token => sub {
        my ($call) = @_;
        my $answer = client($call, access_token_url => $call->{url})
            ->get_access_token($call->{token}, $call->{verifier}, token_secret => $call->{token_secret});
        return token_response($answer, 'user_id', 'screen_name');
    },
    # The library knows OAuth 1.0 alone.
    bearer_token => sub {
        my ($call) = @_;
        my $request = POST($call->{url}, [grant_type => 'client_credentials']);
        $request->authorization_basic($call->{consumer_key}, $call->{consumer_secret});
        return $json->decode($agent->request($request)->content);
    },
);

$| = 1;
print $json->encode({ ready => "Net::OAuth $Net::OAuth::VERSION" }), "\n";
while (my $line = <STDIN>) {
    my $call = $json->decode($line);
    my $answer = eval { $answers{ $call->{do} }->($call) } || { error => "$@" };
    print $json->encode($answer), "\n";
}
