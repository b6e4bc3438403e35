/// A user of one channel.
struct UserKey: Hashable {
  let channelID: String
  let uid: UInt32

  /// Name of the user in errors and in the graph.
  var name: String { channelID.isEmpty ? "\(uid)" : "\(uid) in \(channelID)" }
}
