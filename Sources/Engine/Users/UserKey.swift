/// A user of one channel.
struct UserKey: Hashable {
  let channelID: String
  let uid: UInt32

  /// How errors and the graph's nodes name the user.
  var name: String { channelID.isEmpty ? "\(uid)" : "\(uid) in \(channelID)" }
}
