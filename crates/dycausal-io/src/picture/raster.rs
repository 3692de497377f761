//! A drawing as PNG.

use std::io::{self, Write};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use super::font::Font;
use super::scene::{Colour, Look, Piece, Scene, Shape, WHITE};

/// Pixels of the file for each pixel of the drawing, so that it is sharp on slides.
const SCALE: f32 = 2.0;

/// The whole file.
///
/// # Errors
/// If the drawing is too large for memory.
pub(super) fn png(scene: &Scene, font: &Font) -> io::Result<Vec<u8>> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let side = |length: f64| (length * f64::from(SCALE)).ceil().clamp(1.0, 30_000.0) as u32;
    let (width, height) = (side(scene.width), side(scene.height));
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| io::Error::new(io::ErrorKind::OutOfMemory, "the picture is too large"))?;
    pixels.fill(Color::WHITE);
    for shape in &scene.shapes {
        match shape {
            Shape::Path(pieces, look) => draw(&mut pixels, outline(pieces), look),
            Shape::Disc([x, y], radius, look) => {
                let circle = PathBuilder::from_circle(single(*x), single(*y), single(*radius));
                draw(&mut pixels, circle, look);
            }
            Shape::Text(label) => {
                let outlines = outline(&font.outlines(label));
                if label.halo {
                    draw(&mut pixels, outlines.clone(), &Look::stroked(WHITE, 3.0));
                }
                draw(&mut pixels, outlines, &Look::filled(label.colour));
            }
        }
    }
    encode(width, height, pixels.data())
}

fn draw(pixels: &mut Pixmap, path: Option<Path>, look: &Look) {
    let Some(path) = path else { return };
    let scaled = Transform::from_scale(SCALE, SCALE);
    if let Some(fill) = look.fill {
        pixels.fill_path(&path, &paint(fill, look.opacity), FillRule::Winding, scaled, None);
    }
    if let Some(colour) = look.stroke {
        let dash = look.dash.and_then(|dash| StrokeDash::new(dash.map(single).to_vec(), 0.0));
        let stroke = Stroke { width: single(look.width), dash, ..Stroke::default() };
        pixels.stroke_path(&path, &paint(colour, look.opacity), &stroke, scaled, None);
    }
}

fn paint([red, green, blue]: Colour, opacity: f64) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let alpha = (255.0 * opacity.clamp(0.0, 1.0)).round() as u8;
    paint.set_color_rgba8(red, green, blue, alpha);
    paint
}

#[allow(clippy::cast_possible_truncation)]
fn single(number: f64) -> f32 {
    number as f32
}

fn outline(pieces: &[Piece]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for piece in pieces {
        match *piece {
            Piece::Move([x, y]) => path.move_to(single(x), single(y)),
            Piece::Line([x, y]) => path.line_to(single(x), single(y)),
            Piece::Quadratic([a, b], [x, y]) => {
                path.quad_to(single(a), single(b), single(x), single(y));
            }
            Piece::Cubic([a, b], [c, d], [x, y]) => {
                path.cubic_to(single(a), single(b), single(c), single(d), single(x), single(y));
            }
            Piece::Close => path.close(),
        }
    }
    path.finish()
}

/// PNG (RFC 2083) with 8 bits of red, green and blue; each row says how it differs from the one above.
fn encode(width: u32, height: u32, pixels: &[u8]) -> io::Result<Vec<u8>> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, *b"IHDR", &header)?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let length = width as usize * 4;
    let nothing = vec![0; length];
    let mut above = nothing.as_slice();
    for row in pixels.chunks_exact(length) {
        encoder.write_all(&[2])?;
        // Everything stands on white, so there is no transparency to keep.
        let differences: Vec<u8> = row
            .chunks_exact(4)
            .zip(above.chunks_exact(4))
            .flat_map(|(here, up)| [0, 1, 2].map(|c| here[c].wrapping_sub(up[c])))
            .collect();
        encoder.write_all(&differences)?;
        above = row;
    }
    chunk(&mut file, *b"IDAT", &encoder.finish()?)?;
    chunk(&mut file, *b"IEND", &[])?;
    Ok(file)
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], content: &[u8]) -> io::Result<()> {
    let too_long = |_| io::Error::other("the picture is too large");
    file.extend(u32::try_from(content.len()).map_err(too_long)?.to_be_bytes());
    let mut check = Crc::new();
    check.update(&kind);
    check.update(content);
    file.extend(kind);
    file.extend(content);
    file.extend(check.sum().to_be_bytes());
    Ok(())
}
