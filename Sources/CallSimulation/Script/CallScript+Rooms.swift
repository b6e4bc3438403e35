import Signalling

extension CallScript {
  /// The script with a name for each room: a preparation without one gets `room-USER-NUMBER`, a fresh one each time.
  var withRooms: CallScript {
    var script = self
    var counts: [UInt32: Int] = [:]
    for index in order {
      guard case .prepare(let user, let room, let timeout, let text) = events[index].action else { continue }
      counts[user, default: 0] += 1
      let fresh = ChannelName("room-\(user)-\(counts[user]!)")
      script.events[index].action = .prepare(
        user: user, room: room ?? fresh, timeoutMilliseconds: timeout, text: text)
    }
    return script
  }
}
