/// Media section of a client's SDP in which the client hears one user at a time.
struct ListenerSection {
  /// Format of the section's packets.
  let format: PacketFormat
  /// SSRC that the answer names. Users follow each other under it, because some programs drop unknown SSRCs.
  let ssrc: UInt32
  /// Numbers and timestamps of the last user under the SSRC, which the next one continues; nil before.
  var rewriter: PacketRewriter?
  /// SSRC of the leg that occupies the section; nil if it is free.
  var legSSRC: UInt32?
}
