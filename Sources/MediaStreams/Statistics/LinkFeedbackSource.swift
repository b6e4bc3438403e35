/// Source of reports about the arrival of packets.
package enum LinkFeedbackSource: Hashable {
  /// The relay, which forwards packets to the users.
  case relay
  /// A user that receives packets directly.
  case user(uid: UInt32, channelID: String)
}
