/// Signal to noise and work of a windowed-sinc conversion.
package enum SincQuality: Hashable, Sendable {
  /// SRC_SINC_FASTEST: 97 dB, 80 % of the bandwidth.
  case fast
  /// SRC_SINC_MEDIUM_QUALITY: 121 dB, 90 % of the bandwidth.
  case high
}
