import Signalling

/// The users in each channel while a script runs, and the refusal of events that do not fit them.
struct ScriptMembers {
  /// Channels by user; the silent listener is in the call alone.
  private var channels: [UInt32: Set<ChannelName>]
  /// Users with one-to-one calls: their rooms are known only while the script runs.
  private var callers: Set<UInt32> = []

  init(_ script: CallScript, users: [UInt32], hasSilentListener: Bool) {
    channels = Dictionary(uniqueKeysWithValues: users.map { ($0, []) })
    for user in script.initialMembers(of: users) { channels[user] = [CallScript.channel] }
    if hasSilentListener { channels[0] = [CallScript.channel] }
  }

  /// Notes a join, a leave or a preparation.
  ///
  /// - Throws: A refusal of an action by or on a user that is not there.
  mutating func follow(_ event: ScriptEvent, _ index: Int) throws(ScriptError) {
    let time = "at \(event.seconds.plainSeconds)"
    switch event.action {
    case .join(let user, let channel, _, _):
      let channel = channel ?? CallScript.channel
      guard channels[user, default: []].insert(channel).inserted else {
        throw ScriptError(
          "user \(user) is in \(Self.name(channel)) already \(time); let it leave first", event: index)
      }
    case .leave(let user, let channel):
      let channel = channel ?? CallScript.channel
      guard channels[user, default: []].remove(channel) != nil else {
        throw ScriptError("user \(user) is not in \(Self.name(channel)) \(time); let it join first", event: index)
      }
    case .role(_, _, let user, let channel), .sendStreamMessage(_, _, _, let user, let channel),
      .relayMedia(_, let user, let channel), .pauseMediaRelay(_, let user, let channel):
      let channel = channel ?? CallScript.channel
      guard channels[user, default: []].contains(channel) else {
        throw ScriptError("user \(user) is not in \(Self.name(channel)) \(time); let it join first", event: index)
      }
    case .prepare(let user, _, _, _): callers.insert(user)
    case .call(let user, _, _), .accept(let user), .reject(let user, _), .hangup(let user, _), .cancel(let user):
      guard callers.contains(user) else {
        throw ScriptError("user \(user) has not prepared calls \(time); let it prepare first", event: index)
      }
    case .network, .stopRelay, .startRelay, .stepRelayClock, .preload: break
    default:
      let (user, listener) = (event.action.user, event.action.listener)
      for user in [user, listener].compactMap({ $0 })
      where channels[user, default: []].isEmpty && !callers.contains(user) {
        throw ScriptError("user \(user) is not in the call \(time); let it join first", event: index)
      }
      guard let user, let listener, !callers.isSuperset(of: [user, listener]) else { return }
      guard channels[user, default: []].isDisjoint(with: channels[listener, default: []]) else { return }
      throw ScriptError(
        "user \(user) and listener \(listener) share no channel \(time); let both join one first", event: index)
    }
  }

  private static func name(_ channel: ChannelName) -> String {
    channel == CallScript.channel ? "the call" : "the channel '\(channel)'"
  }
}
