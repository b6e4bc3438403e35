import Glibc

/// Keys of the terminal on stdin, without a wait for the end of a line. The terminal is as before once it is released.
final class KeyReader {
  private var old = termios()

  /// Takes the terminal; nil if stdin is none, or belongs to another program now.
  init?() {
    guard isatty(0) == 1, tcgetpgrp(0) == getpgrp(), tcgetattr(0, &old) == 0 else { return nil }
    var raw = old
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
      bytes[Int(VMIN)] = 0
      bytes[Int(VTIME)] = 0
    }
    guard tcsetattr(0, TCSANOW, &raw) == 0 else { return nil }
  }

  deinit { tcsetattr(0, TCSANOW, &old) }

  /// Returns the next key that has been pressed; nil if there is none.
  func next() -> Character? {
    var byte: UInt8 = 0
    return read(0, &byte, 1) == 1 ? Character(UnicodeScalar(byte)) : nil
  }
}
