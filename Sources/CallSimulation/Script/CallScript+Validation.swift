import AudioFiles
import AudioGraph
import Effects
import Engine
import NetworkSimulation
import Playback

extension CallScript {
  /// Checks all events against the call, in the order of time.
  ///
  /// - Parameters:
  ///   - voices: Number of channels of each user's voice.
  ///   - hasSilentListener: Whether there is a silent listener.
  ///   - durationSeconds: Duration of the call, in seconds.
  ///   - conditions: Conditions of all links at the start.
  ///   - hasRelay: Whether the users are connected through a relay.
  /// - Throws: The first event that does not fit the call.
  func validate(
    voices: [UInt32: Int], hasSilentListener: Bool, durationSeconds: Double, conditions: NetworkConditions,
    hasRelay: Bool = false
  ) throws(ScriptError) {
    let users = voices.keys.sorted()
    let listeners = (hasSilentListener ? [0] : []) + users
    var members = ScriptMembers(self, users: users, hasSilentListener: hasSilentListener)
    var links: [LinkIdentity: NetworkConditions] = [:]
    for index in order {
      let event = events[index]
      guard (0..<durationSeconds).contains(event.seconds) else {
        throw ScriptError(
          "\(event.seconds.plainSeconds) is not within the call, which lasts \(durationSeconds.plainSeconds)",
          event: index)
      }
      try check(event.action, hasRelay: hasRelay, index)
      try check(event.action.user, among: users, index)
      try check(event.action.listener, among: listeners, index)
      try check(event.action.callee, among: users, index)
      if let user = event.action.user, user == event.action.callee {
        throw ScriptError("user \(user) cannot call itself; name another user", event: index)
      }
      if let user = event.action.user, user == event.action.listener {
        throw ScriptError("user \(user) does not hear itself; name another listener", event: index)
      }
      try members.follow(event, index)
      if case .network(let changes, let from, let to) = event.action {
        for sender in users where from == nil || from == sender {
          for listener in listeners where listener != sender && (to == nil || to == listener) {
            let link = LinkIdentity(sender: sender, receiver: listener)
            do {
              links[link] = try (links[link] ?? conditions).applying(changes)
            } catch {
              throw ScriptError("\(error)", event: index)
            }
          }
        }
      }
      if case .playEffect(_, let effect, let user) = event.action, effect.isPublished, effect.panning != .center,
        voices[user] != 2
      {
        throw ScriptError(
          "user \(user) sends one channel, in which an effect cannot be panned; use a stereo file, or publish false",
          event: index)
      }
      try checkSound(event.action, index)
    }
  }

  /// Refuses an action that the connections of the users do not have.
  private func check(_ action: ScriptAction, hasRelay: Bool, _ index: Int) throws(ScriptError) {
    if !hasRelay, let part = action.partOfRelay {
      throw ScriptError(
        "\(part) needs a relay, and this call has none; use --relay, or topology .relay", event: index)
    }
    if hasRelay, case .network(_, .some, .some) = action {
      throw ScriptError(
        "through a relay, 'from' names an uplink and 'to' a downlink; use one of them", event: index)
    }
  }

  private func check(_ uid: UInt32?, among allowed: [UInt32], _ index: Int) throws(ScriptError) {
    guard let uid, !allowed.contains(uid) else { return }
    let names = allowed.map(String.init).joined(separator: ", ")
    throw ScriptError(
      uid == 0
        ? "nobody listens who says nothing, for whom 0 stands; ask for the file of what he hears, or name one of \(names)"
        : "\(uid) is not a user of the call; the users are \(names)", event: index)
  }

  private func checkSound(_ action: ScriptAction, _ index: Int) throws(ScriptError) {
    guard let path = action.soundPath else { return }
    do throws(AudioFileError) {
      guard try AudioFileReader.open(path: path).isSeekable else { throw AudioFileError(.pipeNeedsWAV, path: path) }
    } catch {
      throw ScriptError("\(error)", event: index, cause: error)
    }
  }
}

extension Double {
  /// The number of seconds in a sentence, with its unit.
  var plainSeconds: String {
    let text = "\(self)"
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " s"
  }
}
