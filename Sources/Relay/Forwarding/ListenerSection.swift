/// Media section of a client's SDP in which the client hears one user at a time.
struct ListenerSection {
  /// Format of the section's packets.
  let format: PacketFormat
  /// SSRC that the answer names; nil after its first use, because an SSRC does not recur on a connection.
  var ssrc: UInt32?
  /// SSRC of the leg that occupies the section; nil if it is free.
  var legSSRC: UInt32?
}
