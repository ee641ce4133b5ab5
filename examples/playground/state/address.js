'use strict';

/* What the part of an address behind # names: the front, a step of a story, free play, the pages for teachers and of C.
 *
 *     #/stop/4    #/play?set=xor&n=80    #/play/digits?epochs=3    #/teachers    #/c
 *
 * Addresses of earlier pages, such as #plane?set=xor&story=xor.2, are translated. */
const Address = (() => {
    const TABS = ['plane', 'digits', 'words', 'bits'], VIEWS = ['projector', 'embed', 'picture'];
    /* Steps of the earlier stories, and those that show the same now. */
    const STEPS = {'what.1': 'cats/2', 'what.2': 'cats/3', 'what.3': 'cats/4', 'converges.1': 'stop/4',
        'converges.2': 'stop/5', 'converges.3': 'stop/6', 'last.1': 'mean/1', 'last.2': 'mean/1', 'last.3': 'mean/4',
        'xor.1': 'xor/2', 'xor.2': 'xor/3', 'xor.3': 'xor/4', 'xor.4': 'xor/5', 'winnow.1': 'winnow/6',
        'winnow.2': 'winnow/4', 'winnow.3': 'winnow/6', 'digits.1': 'digits/3', 'digits.2': 'digits/4', 'digits.3': 'digits/1'};

    /* {place, step, tab, params, view} of what stands behind #. */
    function parse(hash) {
        const [path, query] = hash.replace(/^#/, '').split('?'), params = new URLSearchParams(query);
        const view = VIEWS.includes(params.get('view')) ? params.get('view') : '';
        params.delete('view');
        if (TABS.includes(path)) return old(path, params, view);
        const [place, detail] = path.replace(/^\//, '').split('/');
        if (place === 'play') return {place, tab: TABS.includes(detail) ? detail : 'plane', params, view};
        return {place, step: Math.max(1, Number(detail) || 1), params, view};
    }

    function old(tab, params, view) {
        const [name] = (params.get('story') || '').split('.'), now = STEPS[params.get('story')];
        if (Object.hasOwn(STEPS, params.get('story') || '')) {
            const [place, step] = now.split('/');
            return {place, step: Number(step), params: new URLSearchParams(), view};
        }
        params.delete('story');
        if (name) params.set('challenge', name);
        return {place: 'play', tab, params, view};
    }

    /* The address of a tab of free play. */
    function play(tab, values, view) {
        const all = new URLSearchParams(values);
        if (view) all.set('view', view);
        return `#/play${tab === 'plane' ? '' : `/${tab}`}${all.size ? `?${all}` : ''}`;
    }

    const step = (story, number, view) => `#/${story}/${number}${view ? `?view=${view}` : ''}`;

    return {TABS, VIEWS, STEPS, parse, play, step};
})();
