/// Who tells how packets arrive.
enum LinkFeedbackSource: Hashable {
  /// Who forwards packets to the users.
  case relay
  /// A user, where packets go straight to it.
  case user(uid: UInt32, channelID: String)
}
