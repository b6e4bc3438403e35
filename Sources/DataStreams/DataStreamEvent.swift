/// Event of the streams of remote users.
package enum DataStreamEvent: Hashable, Sendable {
  /// A message.
  case message(uid: UInt32, stream: Int, bytes: [UInt8])
  /// Messages that have not come in time, and the number of later ones that waited for them.
  case missed(uid: UInt32, stream: Int, missed: Int, cached: Int)
}
