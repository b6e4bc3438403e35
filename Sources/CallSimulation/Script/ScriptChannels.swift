package import Signalling

/// The channels in which each user of a script is at any time.
package struct ScriptChannels {
  private var channels: [UInt32: Set<ChannelName>] = [:]

  package init(_ script: CallScript, users: [UInt32]) {
    for user in script.initialMembers(of: users) { channels[user] = [CallScript.channel] }
    for event in script.events {
      guard case .join(let user, let channel, _, _) = event.action else { continue }
      channels[user, default: []].insert(channel ?? CallScript.channel)
    }
    // The silent listener.
    channels[0] = [CallScript.channel]
  }

  /// Returns the channels in which a listener can hear a user: the call first, then the others by name.
  package func shared(by listener: UInt32, _ user: UInt32) -> [ChannelName] {
    let shared = channels[listener, default: []].intersection(channels[user, default: []])
    return shared.sorted { ($0 == CallScript.channel ? "" : $0.text) < ($1 == CallScript.channel ? "" : $1.text) }
  }
}
