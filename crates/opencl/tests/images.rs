//! Images and samplers without kernels: what is made, what commands do to it, and wrong calls.

mod common;

use common::image::{Image, Kind, describe, done};
use common::launch::{Setup, setup};
use opencl3::command_queue as cq;
use opencl3::memory as mem;
use opencl3::types::{cl_int, cl_mem};
use std::ptr::{null, null_mut};

const RG: u32 = 0x10B2;
const RGBA: u32 = 0x10B5;
const BGRA: u32 = 0x10B6;
const UNORM8: u32 = 0x10D2;
const SIGNED16: u32 = 0x10D8;
const FLOAT: u32 = 0x10DE;

const COPY_OVERLAP: cl_int = -8;
const FORMAT_MISMATCH: cl_int = -9;
const FORMAT_NOT_SUPPORTED: cl_int = -10;
const INVALID_VALUE: cl_int = -30;
const INVALID_HOST_PTR: cl_int = -37;
const INVALID_MEM_OBJECT: cl_int = -38;
const INVALID_FORMAT: cl_int = -39;
const INVALID_IMAGE_SIZE: cl_int = -40;
const INVALID_OPERATION: cl_int = -59;
const INVALID_DESCRIPTOR: cl_int = -65;

/// One image of each kind; the bytes of 1D images of buffers are a buffer's, which must be passed then.
fn kinds(format: (u32, u32), element: usize) -> [Kind; 6] {
    let kind = |kind, sides, layers| Kind { kind, sides, layers, format, element };
    [
        kind(mem::CL_MEM_OBJECT_IMAGE1D, [13, 0, 0], 0),
        kind(mem::CL_MEM_OBJECT_IMAGE1D_BUFFER, [11, 0, 0], 0),
        kind(mem::CL_MEM_OBJECT_IMAGE1D_ARRAY, [7, 0, 0], 5),
        kind(mem::CL_MEM_OBJECT_IMAGE2D, [9, 6, 0], 0),
        kind(mem::CL_MEM_OBJECT_IMAGE2D_ARRAY, [5, 4, 0], 3),
        kind(mem::CL_MEM_OBJECT_IMAGE3D, [6, 5, 4], 0),
    ]
}

fn release(object: cl_mem) {
    // SAFETY: ours.
    unsafe { mem::release_mem_object(object) }.expect("there");
}

fn buffer(s: &Setup, size: usize) -> cl_mem {
    // SAFETY: no memory of ours is passed.
    unsafe { mem::create_buffer(s.context.get(), mem::CL_MEM_READ_WRITE, size, null_mut()) }.expect("a buffer")
}

/// Numbers that are the same each time (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.below(256) as u8).collect()
    }

    /// A part of an image.
    fn part(&mut self, extents: [usize; 3]) -> ([usize; 3], [usize; 3]) {
        let origin = extents.map(|n| self.below(n));
        (origin, std::array::from_fn(|d| 1 + self.below(extents[d] - origin[d])))
    }
}

/// What an image should hold, without gaps.
struct Model {
    bytes: Vec<u8>,
    of: Kind,
}

impl Model {
    /// Where the rows of a part begin.
    fn rows(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<usize> {
        let [width, height, _] = self.of.extents();
        let at = |y: usize, z: usize| ((z * height + y) * width + origin[0]) * self.of.element;
        let slices = origin[2]..origin[2] + region[2];
        slices.flat_map(|z| (origin[1]..origin[1] + region[1]).map(move |y| at(y, z))).collect()
    }

    fn read(&self, origin: [usize; 3], region: [usize; 3]) -> Vec<u8> {
        let size = region[0] * self.of.element;
        self.rows(origin, region).into_iter().flat_map(|at| self.bytes[at..at + size].to_vec()).collect()
    }

    fn write(&mut self, origin: [usize; 3], region: [usize; 3], bytes: &[u8]) {
        let size = region[0] * self.of.element;
        for (at, row) in self.rows(origin, region).into_iter().zip(bytes.chunks_exact(size)) {
            self.bytes[at..at + size].copy_from_slice(row);
        }
    }
}

/// One command of each sort on a random part; what it does to the model.
fn step(s: &Setup, n: &mut Numbers, image: &Image, model: &mut Model, command: usize) {
    let (origin, region) = n.part(image.of.extents());
    let (at, size) = (origin.as_ptr(), region.as_ptr());
    let bytes = region.iter().product::<usize>() * image.of.element;
    let (q, raw) = (s.queue.get(), image.raw);
    // SAFETY: all places are as large as the part; calls wait, or the next does.
    unsafe {
        match command {
            0 => {
                let data = n.bytes(bytes);
                let from = data.as_ptr().cast_mut().cast();
                done(cq::enqueue_write_image(q, raw, 1, at, size, 0, 0, from, 0, null())).expect("written");
                model.write(origin, region, &data);
            }
            1 => {
                let mut out = vec![0u8; bytes];
                let to = out.as_mut_ptr().cast();
                done(cq::enqueue_read_image(q, raw, 1, at, size, 0, 0, to, 0, null())).expect("read");
                assert_eq!(out, model.read(origin, region));
            }
            2 => {
                // Channels of `SIGNED16` take these as they are.
                let colour = [n.below(1000) as i32, -(n.below(1000) as i32), 7, 8];
                let from = colour.as_ptr().cast();
                done(cq::enqueue_fill_image(q, raw, from, at, size, 0, null())).expect("filled");
                let element: Vec<u8> = colour[..2].iter().flat_map(|&c| (c as i16).to_ne_bytes()).collect();
                model.write(origin, region, &element.repeat(bytes / 4));
            }
            3 => {
                let other = buffer(s, bytes + 3);
                done(cq::enqueue_copy_image_to_buffer(q, raw, other, at, size, 3, 0, null())).expect("copied");
                let mut out = vec![0u8; bytes];
                let to = out.as_mut_ptr().cast();
                done(cq::enqueue_read_buffer(q, other, 1, 3, bytes, to, 0, null())).expect("read");
                assert_eq!(out, model.read(origin, region));
                release(other);
            }
            4 => {
                let (other, data) = (buffer(s, bytes + 5), n.bytes(bytes));
                let from = data.as_ptr().cast();
                done(cq::enqueue_write_buffer(q, other, 1, 5, bytes, from, 0, null())).expect("written");
                done(cq::enqueue_copy_buffer_to_image(q, other, raw, 5, at, size, 0, null())).expect("copied");
                model.write(origin, region, &data);
                release(other);
            }
            5 => {
                let (mut row, mut slice, mut pointer) = (0, 0, null_mut());
                let (row_out, slice_out) = (&raw mut row, &raw mut slice);
                let event = cq::enqueue_map_image(q, raw, 1, 3, at, size, row_out, slice_out, &mut pointer, 0, null());
                done(event).expect("mapped");
                let data = n.bytes(bytes);
                let old = model.read(origin, region);
                let layers = image.of.kind == mem::CL_MEM_OBJECT_IMAGE1D_ARRAY;
                let step = if layers { slice } else { row };
                let width = region[0] * image.of.element;
                for (m, new) in data.chunks_exact(width).enumerate() {
                    let (y, z) = (m % region[1], m / region[1]);
                    let place = pointer.cast::<u8>().add(y * step + z * slice);
                    assert_eq!(std::slice::from_raw_parts(place, width), &old[m * width..][..width]);
                    place.copy_from_nonoverlapping(new.as_ptr(), width);
                }
                done(cq::enqueue_unmap_mem_object(q, raw, pointer, 0, null())).expect("unmapped");
                model.write(origin, region, &data);
            }
            _ => {
                // To another image of the same kind, and from there to another part.
                let backing = buffer(s, image.of.bytes());
                let of_buffer = image.of.kind == mem::CL_MEM_OBJECT_IMAGE1D_BUFFER;
                let other = s.image(image.of, if of_buffer { backing } else { null_mut() });
                let zero = [0usize; 3];
                done(cq::enqueue_copy_image(q, raw, other.raw, at, zero.as_ptr(), size, 0, null())).expect("copied");
                let extents = image.of.extents();
                let to: [usize; 3] = std::array::from_fn(|d| n.below(extents[d] - region[d] + 1));
                done(cq::enqueue_copy_image(q, other.raw, raw, zero.as_ptr(), to.as_ptr(), size, 0, null()))
                    .expect("copied");
                let moved = model.read(origin, region);
                model.write(to, region, &moved);
                release(backing);
            }
        }
    }
    s.queue.finish().expect("finished");
}

#[test]
fn commands_do_to_every_kind_what_a_model_does() {
    let Some(s) = setup() else { return };
    let mut n = Numbers(1);
    for of in kinds((RG, SIGNED16), 4) {
        let backing = buffer(&s, of.bytes());
        let of_buffer = of.kind == mem::CL_MEM_OBJECT_IMAGE1D_BUFFER;
        let image = s.image(of, if of_buffer { backing } else { null_mut() });
        let mut model = Model { bytes: n.bytes(of.bytes()), of };
        s.write_image(&image, &model.bytes);
        for command in (0..140).map(|k| k % 7) {
            step(&s, &mut n, &image, &mut model, command);
            assert_eq!(s.read_image(&image), model.bytes, "{of:?} after {command}");
        }
        release(backing);
    }
}

#[test]
fn colours_are_converted_where_images_are_filled() {
    let Some(s) = setup() else { return };
    let fill = |format, element, colour: [f32; 4]| {
        let image = s.image(Kind::flat(3, 2, format, element), null_mut());
        let (at, size) = ([1usize, 0, 0], [2usize, 1, 1]);
        let (raw, from) = (image.raw, colour.as_ptr().cast());
        // SAFETY: a colour is four numbers.
        done(unsafe { cq::enqueue_fill_image(s.queue.get(), raw, from, at.as_ptr(), size.as_ptr(), 0, null()) })
            .expect("filled");
        s.read_image(&image)[element..2 * element].to_vec()
    };
    assert_eq!(fill((RGBA, UNORM8), 4, [0.5, -1.0, 2.0, 1.0]), [128, 0, 255, 255]);
    assert_eq!(fill((BGRA, UNORM8), 4, [0.5, -1.0, 2.0, 1.0]), [255, 0, 128, 255]);
    let same: Vec<u8> = [0.5f32, -1.0, 2.0, 1.0].iter().flat_map(|c| c.to_ne_bytes()).collect();
    assert_eq!(fill((RGBA, FLOAT), 16, [0.5, -1.0, 2.0, 1.0]), same);
}

#[test]
fn images_use_or_copy_the_programs_rows() {
    let Some(s) = setup() else { return };
    let of = Kind { kind: mem::CL_MEM_OBJECT_IMAGE3D, sides: [2, 2, 2], layers: 0, format: (RG, UNORM8), element: 2 };
    let mut desc = describe(&of);
    (desc.image_row_pitch, desc.image_slice_pitch) = (6, 18);
    // Nothing follows the last row.
    let mut bytes: Vec<u8> = (0..18 + 6 + 4).collect();
    let expected = [0, 1, 2, 3, 6, 7, 8, 9, 18, 19, 20, 21, 24, 25, 26, 27];
    for flags in [mem::CL_MEM_COPY_HOST_PTR, mem::CL_MEM_USE_HOST_PTR] {
        let image = s.try_image(flags, of, &desc, bytes.as_mut_ptr().cast()).expect("an image");
        assert_eq!(s.read_image(&image), expected);
        assert_eq!(mem::get_image_data(image.raw, 0x1112), Ok(6usize.to_ne_bytes().to_vec()));
        assert_eq!(mem::get_image_data(image.raw, 0x1113), Ok(18usize.to_ne_bytes().to_vec()));
        let used = mem::get_mem_object_data(image.raw, mem::CL_MEM_HOST_PTR).expect("an answer");
        let in_place = flags == mem::CL_MEM_USE_HOST_PTR;
        assert_eq!(used, if in_place { bytes.as_ptr() as usize } else { 0 }.to_ne_bytes());
        s.write_image(&image, &[99; 16]);
        drop(image);
        assert_eq!((bytes[27], bytes[4]), (if in_place { 99 } else { 27 }, 4), "rows, and nothing between");
    }
}

#[test]
fn images_and_their_buffers_know_one_another() {
    let Some(s) = setup() else { return };
    let backing = buffer(&s, 400);
    let of = kinds((RGBA, FLOAT), 16)[1];
    let image = s.image(of, backing);
    let number = |name| mem::get_image_data(image.raw, name).expect("an answer");
    assert_eq!(number(0x1110), [RGBA.to_ne_bytes(), FLOAT.to_ne_bytes()].concat());
    let sizes = [(0x1111, 16), (0x1112, 176), (0x1113, 0), (0x1114, 11), (0x1115, 0), (0x1116, 0), (0x1117, 0)];
    for (name, value) in sizes {
        assert_eq!(number(name), usize::to_ne_bytes(value), "{name:#x}");
    }
    assert_eq!(number(0x1118), (backing as usize).to_ne_bytes());
    assert_eq!(number(0x1119), 0u32.to_ne_bytes());
    let of_object = |name| mem::get_mem_object_data(image.raw, name).expect("an answer");
    assert_eq!(of_object(mem::CL_MEM_TYPE), mem::CL_MEM_OBJECT_IMAGE1D_BUFFER.to_ne_bytes());
    assert_eq!(of_object(mem::CL_MEM_ASSOCIATED_MEMOBJECT), (backing as usize).to_ne_bytes());
    s.write_image(&image, &[5; 176]);
    let mut out = [0u8; 177];
    let to = out.as_mut_ptr().cast();
    // SAFETY: there is so much room.
    done(unsafe { cq::enqueue_read_buffer(s.queue.get(), backing, 1, 0, 177, to, 0, null()) }).expect("read");
    assert_eq!((out[0], out[175], out[176]), (5, 5, 0));
    assert_eq!(mem::get_image_data(backing, 0x1110), Err(INVALID_MEM_OBJECT));
    // The image keeps the buffer.
    release(backing);
    assert_eq!(s.read_image(&image), [5; 176]);
}

#[test]
fn wrong_images_are_refused() {
    let Some(s) = setup() else { return };
    let good = Kind::flat(8, 4, (RGBA, UNORM8), 4);
    let refusal = |flags, of: Kind, change: &dyn Fn(&mut mem::cl_image_desc), host| {
        let mut desc = describe(&of);
        change(&mut desc);
        s.try_image(flags, of, &desc, host).err()
    };
    let same = |_: &mut mem::cl_image_desc| {};
    assert_eq!(refusal(0, good, &same, null_mut()), None);
    assert_eq!(refusal(3, good, &same, null_mut()), Some(INVALID_VALUE));
    let of = |order, channel| Kind { format: (order, channel), ..good };
    assert_eq!(refusal(0, of(7, UNORM8), &same, null_mut()), Some(INVALID_FORMAT));
    assert_eq!(refusal(0, of(BGRA, FLOAT), &same, null_mut()), Some(INVALID_FORMAT));
    assert_eq!(refusal(0, of(0x10B1, FLOAT), &same, null_mut()), Some(FORMAT_NOT_SUPPORTED));
    for wrong in [
        |d: &mut mem::cl_image_desc| d.image_type = mem::CL_MEM_OBJECT_BUFFER,
        |d: &mut mem::cl_image_desc| d.image_width = 0,
        |d: &mut mem::cl_image_desc| d.image_row_pitch = 32,
        |d: &mut mem::cl_image_desc| d.image_slice_pitch = 128,
        |d: &mut mem::cl_image_desc| d.num_mip_levels = 1,
        |d: &mut mem::cl_image_desc| d.num_samples = 1,
        |d: &mut mem::cl_image_desc| d.image_type = mem::CL_MEM_OBJECT_IMAGE2D_ARRAY,
        |d: &mut mem::cl_image_desc| d.image_type = mem::CL_MEM_OBJECT_IMAGE1D_BUFFER,
    ] {
        assert_eq!(refusal(0, good, &wrong, null_mut()), Some(INVALID_DESCRIPTOR));
    }
    let wide = |d: &mut mem::cl_image_desc| d.image_width = 16385;
    assert_eq!(refusal(0, good, &wide, null_mut()), Some(INVALID_IMAGE_SIZE));
    let mut host = [0u8; 256];
    let bytes = host.as_mut_ptr().cast();
    assert_eq!(refusal(0, good, &same, bytes), Some(INVALID_HOST_PTR));
    assert_eq!(refusal(mem::CL_MEM_USE_HOST_PTR, good, &same, null_mut()), Some(INVALID_HOST_PTR));
    for pitch in [31, 28, 34] {
        let change = move |d: &mut mem::cl_image_desc| d.image_row_pitch = pitch;
        assert_eq!(refusal(mem::CL_MEM_COPY_HOST_PTR, good, &change, bytes), Some(INVALID_DESCRIPTOR), "{pitch}");
    }
    let backing = buffer(&s, 31);
    let of_buffer = move |d: &mut mem::cl_image_desc| {
        d.image_type = mem::CL_MEM_OBJECT_IMAGE1D_BUFFER;
        d.__bindgen_anon_1.mem_object = backing;
    };
    assert_eq!(refusal(0, good, &of_buffer, null_mut()), Some(INVALID_IMAGE_SIZE));
    let other = move |d: &mut mem::cl_image_desc| d.__bindgen_anon_1.mem_object = backing;
    assert_eq!(refusal(0, good, &other, null_mut()), Some(INVALID_OPERATION));
    let row = Kind { kind: mem::CL_MEM_OBJECT_IMAGE1D, ..good };
    assert_eq!(refusal(0, row, &other, null_mut()), Some(INVALID_DESCRIPTOR));
    release(backing);
}

#[test]
fn wrong_commands_are_refused() {
    let Some(s) = setup() else { return };
    let image = s.image(Kind::flat(8, 4, (RGBA, UNORM8), 4), null_mut());
    let other = s.image(Kind::flat(8, 4, (RGBA, FLOAT), 16), null_mut());
    let backing = buffer(&s, 64);
    let (q, raw) = (s.queue.get(), image.raw);
    let mut out = [0u8; 128];
    let to = out.as_mut_ptr().cast();
    // SAFETY: there is room for all of the image, or the call is refused.
    unsafe {
        let read = |object, at: [usize; 3], size: [usize; 3], row, slice| {
            done(cq::enqueue_read_image(q, object, 1, at.as_ptr(), size.as_ptr(), row, slice, to, 0, null()))
        };
        assert_eq!(read(raw, [0; 3], [8, 4, 1], 32, 0), Ok(()));
        assert_eq!(read(backing, [0; 3], [1; 3], 0, 0), Err(INVALID_MEM_OBJECT));
        for (at, size, row, slice) in [
            ([0, 0, 0], [9, 1, 1], 0, 0),
            ([1, 0, 0], [8, 1, 1], 0, 0),
            ([0, 0, 1], [1, 1, 1], 0, 0),
            ([0, 0, 0], [1, 1, 2], 0, 0),
            ([0, 0, 0], [1, 0, 1], 0, 0),
            ([0, 0, 0], [2, 2, 1], 7, 0),
            ([0, 0, 0], [2, 2, 1], 0, 16),
        ] {
            assert_eq!(read(raw, at, size, row, slice), Err(INVALID_VALUE), "{at:?} {size:?} {row} {slice}");
        }
        let copy = |from, to, at: [usize; 3], target: [usize; 3], size: [usize; 3]| {
            done(cq::enqueue_copy_image(q, from, to, at.as_ptr(), target.as_ptr(), size.as_ptr(), 0, null()))
        };
        assert_eq!(copy(raw, other.raw, [0; 3], [0; 3], [1; 3]), Err(FORMAT_MISMATCH));
        assert_eq!(copy(raw, raw, [0; 3], [3, 1, 0], [4, 2, 1]), Err(COPY_OVERLAP));
        assert_eq!(copy(raw, raw, [0; 3], [4, 1, 0], [4, 2, 1]), Ok(()));
        let (at, size) = ([0usize; 3], [8usize, 4, 1]);
        let to_buffer = cq::enqueue_copy_image_to_buffer(q, raw, backing, at.as_ptr(), size.as_ptr(), 0, 0, null());
        assert_eq!(done(to_buffer), Err(INVALID_VALUE), "64 bytes are too few");
        assert_eq!(
            done(cq::enqueue_fill_image(q, raw, null(), at.as_ptr(), size.as_ptr(), 0, null())),
            Err(INVALID_VALUE)
        );
        assert_eq!(done(cq::enqueue_read_buffer(q, raw, 1, 0, 1, to, 0, null())), Err(INVALID_MEM_OBJECT));
        let (mut row, mut slice, mut pointer) = (0, 0, null_mut());
        let mut map = |row_out, flags| {
            let (at, size, slice) = (at.as_ptr(), size.as_ptr(), &raw mut slice);
            done(cq::enqueue_map_image(q, raw, 1, flags, at, size, row_out, slice, &mut pointer, 0, null()))
        };
        assert_eq!(map(null_mut(), 1), Err(INVALID_VALUE));
        assert_eq!(map(&raw mut row, 8), Err(INVALID_VALUE));
        assert_eq!(map(&raw mut row, 2), Ok(()));
        assert_eq!(map(&raw mut row, 2), Err(INVALID_OPERATION), "mapped for writing twice");
        assert_eq!(row, 32);
    }
    release(backing);
}

#[test]
fn samplers_say_what_they_are() {
    let Some(s) = setup() else { return };
    let sampler = |list: &[u64]| mem::Sampler::create_with_properties(&s.context, list.as_ptr()).map_err(|e| e.0);
    let list = [0x1152, 1, 0x1153, 0x1134, 0x1154, 0x1141, 0];
    let made = sampler(&list).expect("a sampler");
    assert_eq!((made.reference_count(), made.normalized_coords()), (Ok(1), Ok(true)));
    assert_eq!((made.addressing_mode(), made.filter_mode()), (Ok(0x1134), Ok(0x1141)));
    let properties = list.iter().flat_map(|p| p.to_ne_bytes()).collect::<Vec<u8>>();
    assert_eq!(made.get_data(0x1158), Ok(properties));
    let default = sampler(&[0]).expect("a sampler");
    assert_eq!((default.addressing_mode(), default.filter_mode()), (Ok(0x1132), Ok(0x1140)));
    let wrong: [&[u64]; 5] =
        [&[0x1152, 2, 0], &[0x1152, 1, 0x1152, 1, 0], &[7, 1, 0], &[0x1153, 0, 0], &[0x1154, 1 << 40, 0]];
    for list in wrong {
        assert_eq!(sampler(list).err(), Some(INVALID_VALUE), "{list:?}");
    }
}

#[test]
fn the_formats_that_a_full_profile_needs_are_there() {
    let Some(s) = setup() else { return };
    let formats = |flags, kind| mem::get_supported_image_formats(s.context.get(), flags, kind).map(|f| f.len());
    for kind in kinds((RGBA, FLOAT), 16) {
        let both = mem::CL_MEM_KERNEL_READ_AND_WRITE;
        for flags in [mem::CL_MEM_READ_ONLY, mem::CL_MEM_WRITE_ONLY, mem::CL_MEM_READ_WRITE, both] {
            assert_eq!(formats(flags, kind.kind), Ok(3 * 12 + 1));
        }
    }
    assert_eq!(formats(3, mem::CL_MEM_OBJECT_IMAGE2D), Err(INVALID_VALUE));
    assert_eq!(formats(1, mem::CL_MEM_OBJECT_BUFFER), Err(INVALID_VALUE));
}
