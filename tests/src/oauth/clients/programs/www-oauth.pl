# WWW::OAuth with the HTTP client of Perl's core. foreign-client.ts says what is asked and answered.
use strict;
use warnings;

use HTTP::Tiny;
use JSON::PP;
use WWW::OAuth;
use WWW::OAuth::Util 'form_urlencode';

my $json = JSON::PP->new->utf8->canonical;
my $agent = HTTP::Tiny->new;

sub send_signed {
    my ($call) = @_;
    my $oauth = WWW::OAuth->new(
        client_id => $call->{consumer_key},
        client_secret => $call->{consumer_secret},
        token => $call->{token},
        token_secret => $call->{token_secret},
    );
    my %request = (method => $call->{method}, url => $call->{url});
    if ($call->{form}) {
        $request{content} = form_urlencode($call->{form});
        $request{headers} = { 'Content-Type' => 'application/x-www-form-urlencoded' };
    }
    if (defined $call->{json}) {
        utf8::encode($request{content} = $call->{json});
        $request{headers} = { 'Content-Type' => 'application/json' };
    }
    my $answer = $oauth->authenticate(Basic => \%request)->request_with($agent);
    my $body = $answer->{content};
    utf8::decode($body);
    return { status => $answer->{status} + 0, body => $body };
}

$| = 1;
print $json->encode({ ready => "WWW::OAuth $WWW::OAuth::VERSION" }), "\n";
while (my $line = <STDIN>) {
    my $answer = eval { send_signed($json->decode($line)) } || { error => "$@" };
    print $json->encode($answer), "\n";
}
