# simple_oauth, which makes the header only, with Net::HTTP to send. foreign-client.ts says what is asked and answered.
require 'json'
require 'net/http'
require 'simple_oauth'

METHODS = { 'GET' => Net::HTTP::Get, 'POST' => Net::HTTP::Post, 'PUT' => Net::HTTP::Put }.freeze

def send_signed(call)
  url = URI(call['url'])
  credentials = %w[consumer_key consumer_secret token token_secret].to_h { |name| [name.to_sym, call[name]] }
  header = SimpleOAuth::Header.new(call['method'], url, call.fetch('form', {}), credentials)
  request = METHODS.fetch(call['method']).new(url)
  request['Authorization'] = header.to_s
  request.set_form_data(call['form']) if call.key?('form')
  if call.key?('json')
    request.body = call['json']
    request.content_type = 'application/json'
  end
  answer = Net::HTTP.start(url.host, url.port) { |http| http.request(request) }
  { status: answer.code.to_i, body: answer.body.force_encoding('UTF-8') }
end

$stdout.sync = true
puts JSON.generate(ready: 'simple_oauth')
$stdin.each_line do |line|
  answer =
    begin
      send_signed(JSON.parse(line))
    rescue StandardError => e
      { error: "#{e.class}: #{e.message}" }
    end
  puts JSON.generate(answer)
end
