# ruby-oauth, spoken to in JSON lines. foreign-client.ts says what is asked and answered.
require 'json'
require 'net/http'
require 'oauth'

def consumer(call, **options)
  target = URI(call['url'])
  site = "#{target.scheme}://#{target.host}:#{target.port}"
  OAuth::Consumer.new(call['consumer_key'], call['consumer_secret'], site: site, **options)
end

def send_signed(call)
  signed = OAuth::AccessToken.new(consumer(call), call['token'], call['token_secret'])
  target = URI(call['url']).request_uri
  method = call['method'].downcase.to_sym
  answer =
    if call.key?('json')
      signed.request(method, target, call['json'], 'Content-Type' => 'application/json')
    elsif call.key?('form')
      signed.request(method, target, call['form'])
    else
      signed.request(method, target)
    end
  { status: answer.code.to_i, body: answer.body.force_encoding('UTF-8') }
end

def request_token(call)
  consumer(call, request_token_url: call['url']).get_request_token(oauth_callback: call['callback']).params
end

def authorization_url(call)
  token = OAuth::RequestToken.new(consumer(call, authorize_url: call['url']), call['token'])
  { url: token.authorize_url }
end

def access_token(call)
  token = OAuth::RequestToken.new(consumer(call, access_token_url: call['url']), call['token'], call['token_secret'])
  token.get_access_token(oauth_verifier: call['verifier']).params
end

# The library knows OAuth 1.0 alone.
def bearer_token(call)
  url = URI(call['url'])
  request = Net::HTTP::Post.new(url)
  request.basic_auth(call['consumer_key'], call['consumer_secret'])
  request.set_form_data('grant_type' => 'client_credentials')
  JSON.parse(Net::HTTP.start(url.host, url.port) { |http| http.request(request) }.body)
end

$stdout.sync = true
puts JSON.generate(ready: "ruby-oauth #{OAuth::VERSION}")
$stdin.each_line do |line|
  call = JSON.parse(line)
  answer =
    begin
      case call['do']
      when 'send' then send_signed(call)
      when 'request_token' then request_token(call)
      when 'authorization_url' then authorization_url(call)
      when 'access_token' then access_token(call)
      when 'bearer_token' then bearer_token(call)
      end
    rescue StandardError => e
      { error: "#{e.class}: #{e.message}" }
    end
  puts JSON.generate(answer)
end
