import Glibc

/// The scale of volumes, 0 to 255, as a function of the level in dBFS.
///
///     volume = 255 x (1 + dBFS / 60), within 0 and 255
///
/// Linear in decibels, as loudness is heard: -60 dBFS and less is 0, -30 dBFS is 128, 0 dBFS is 255; a step is 0.24 dB.
/// 0 dBFS is a mean square of 1: a square wave of full scale. A sine of full scale is at -3 dBFS, 242.
public enum VolumeScale {
  /// The largest volume.
  public static let maximum = 255
  /// The level of volume 0, in dBFS.
  public static let floorDBFS = -60.0

  /// Returns the volume of a level.
  public static func volume(dBFS: Double) -> Int { rounded(position(dBFS: dBFS)) }

  /// Returns the volume of a mean square, such as that of a `FrameLevel`.
  public static func volume(meanSquare: Double) -> Int { rounded(position(meanSquare: meanSquare)) }

  /// Returns the level in the middle of a volume's step, in dBFS.
  public static func dBFS(ofVolume volume: Int) -> Double { floorDBFS * (1 - Double(volume) / Double(maximum)) }

  /// Returns a mean square in dBFS; -infinity for silence.
  public static func dBFS(meanSquare: Double) -> Double { 10 * log10(meanSquare) }

  /// Returns the position on the scale before rounding, which is the value to smooth.
  static func position(meanSquare: Double) -> Double { position(dBFS: dBFS(meanSquare: meanSquare)) }

  static func rounded(_ position: Double) -> Int { Int(position.rounded()) }

  private static func position(dBFS: Double) -> Double {
    // NaN and -infinity are silence.
    guard dBFS > floorDBFS else { return 0 }
    return min(Double(maximum), Double(maximum) * (1 - dBFS / floorDBFS))
  }
}
