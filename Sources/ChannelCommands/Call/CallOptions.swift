import Calls
import CommandLineKit
import MQTTSignalling

/// Arguments of `call`, typed and checked.
struct CallOptions {
  let relay: RelayUserOptions
  let sound: LiveSound
  let uid: UInt32
  /// User to call; nil to answer.
  let peer: UInt32?
  let answerSeconds: Double
  let ringSeconds: Double
  /// Channel of the call; nil for a fresh one.
  let room: ChannelName?
  let text: String?
  /// Broker of the messages; nil for the relay.
  let broker: MQTTSignalOptions?

  /// Reads the options, and the token.
  ///
  /// - Throws: exit code 64 for a wrong command line, 65 and 66 for a token's file.
  init(_ parsed: ParsedArguments) throws(CommandFailure) {
    _ = try CommonOptions(parsed)
    let answers = parsed.has("answer")
    switch (parsed.operands.first, answers) {
    case (let word?, false):
      guard let number = UInt32(word), number > 0 else {
        throw .usage("'\(word)' is not a user; name the user to call by its uid, 1 to 4294967295")
      }
      peer = number
    case (nil, true): peer = nil
    case (.some, true): throw .usage("--answer waits for any caller; leave the user out, or --answer")
    case (nil, false): throw .usage("call needs the uid of the user to call, or --answer")
    }
    guard let number = parsed.integer("uid") else { throw .usage("call needs --uid N, the user that calls or answers") }
    uid = UInt32(number)
    guard peer != uid else { throw .usage("user \(uid) cannot call itself; name another user") }
    relay = try RelayUserOptions(parsed, of: "call")
    sound = try LiveSound(parsed)
    broker = try BrokerOptions.read(parsed, appID: relay.appID, uid: uid)
    guard answers || !parsed.has("answer-after") else { throw .usage("--answer-after needs --answer") }
    for name in ["room", "text"] where parsed.has(name) && answers {
      throw .usage("--\(name) is the caller's; leave it out with --answer")
    }
    answerSeconds = parsed.number("answer-after") ?? 0
    ringSeconds = parsed.number("ring-time") ?? 15
    guard answerSeconds < ringSeconds else {
      throw .usage("--answer-after must be less than --ring-time, which ends the ringing")
    }
    room = try parsed.text("room").map { name throws(CommandFailure) in try TokenOptions.channel(name) }
    text = parsed.text("text")
    if let text, text.utf8.count > PrepareConfig.largestExtensionByteCount {
      throw .usage("--text has \(text.utf8.count) bytes; it may have \(PrepareConfig.largestExtensionByteCount)")
    }
  }
}
