package import Signalling

/// The channels in which each user of a script is at any time, and may be by a one-to-one call.
package struct ScriptChannels {
  private var channels: [UInt32: Set<ChannelName>] = [:]
  /// Other channels in which each user is heard.
  private var relayed: [UInt32: Set<ChannelName>] = [:]
  /// Rooms of one-to-one calls in which users may never be.
  let rooms: Set<ChannelName>

  package init(_ script: CallScript, users: [UInt32]) {
    for user in script.initialMembers(of: users) { channels[user] = [CallScript.channel] }
    for event in script.events {
      switch event.action {
      case .join(let user, let channel, _, _): channels[user, default: []].insert(channel ?? CallScript.channel)
      case .relayMedia(let others, let user, _): relayed[user, default: []].formUnion(others)
      default: break
      }
    }
    // The silent listener.
    channels[0] = [CallScript.channel]
    let joined = channels.values.reduce(into: Set()) { $0.formUnion($1) }
    var prepared: [UInt32: Set<ChannelName>] = [:]
    let named = script.withRooms
    for index in named.order {
      switch named.events[index].action {
      case .prepare(let user, let room?, _, _): prepared[user, default: []].insert(room)
      // A later preparation may have been refused.
      case .call(let user, let callee, _):
        for member in [user, callee] { channels[member, default: []].formUnion(prepared[user, default: []]) }
      default: break
      }
    }
    rooms = prepared.values.reduce(into: Set()) { $0.formUnion($1) }.subtracting(joined)
  }

  /// Returns the channels in which a listener can hear a user: the call first, then the others by name.
  package func shared(by listener: UInt32, _ user: UInt32) -> [ChannelName] {
    let shared = channels[listener, default: []].intersection(
      channels[user, default: []].union(relayed[user, default: []]))
    return shared.sorted { ($0 == CallScript.channel ? "" : $0.text) < ($1 == CallScript.channel ? "" : $1.text) }
  }
}
